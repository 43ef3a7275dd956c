import { readFileSync } from 'node:fs'
import type { PlanBench } from '@lathe/testing'
import { type FixtureName, fixturePath } from '../../../../fixtures/fixtures.ts'

/** A word that must not be found after metadata is stripped. */
export const traitor = 'Zq7Wx-traitor'

/** Tags about people, places and devices, as cameras and editors write them. */
const privateTags = [
  ...[
    'EXIF:Artist',
    'EXIF:Software',
    'EXIF:OwnerName',
    'EXIF:SerialNumber',
    'EXIF:LensSerialNumber',
    'EXIF:HostComputer',
  ],
  ...['XMP-dc:Creator', 'XMP-xmp:CreatorTool', 'XMP-aux:SerialNumber', 'XMP-xmpMM:DocumentID', 'XMP-photoshop:City'],
  ...['XMP-photoshop:History', 'XMP-iptcExt:PersonInImage', 'XMP-iptcCore:CreatorWorkEmail', 'XMP-iptcCore:Location'],
].map((tag) => `-${tag}=${traitor}`)
const gps = [
  '-GPSLatitude=51.5',
  '-GPSLatitudeRef=N',
  '-GPSLongitude=0.125',
  '-GPSLongitudeRef=W',
  '-GPSAltitude=35',
  '-GPSAltitudeRef=0',
]
const iptc = ['By-line', 'City', 'OriginatingProgram', 'Writer-Editor', 'Contact'].map(
  (tag) => `-IPTC:${tag}=${traitor}`,
)
const harmless = ['-XMP-dc:Title=Old title', '-XMP-dc:Rights=Old rights', '-EXIF:ImageDescription=Old words']

/** A fixture with these tags, written by ExifTool. */
export async function tagFile(bench: PlanBench, content: Uint8Array, format: string, tags: readonly string[]) {
  const args = ['-config', '', '-q', '-m', ...tags, '-o', `out.${format}`, `in.${format}`]
  const { outputs } = await bench.tool('exiftool', args, {
    files: { [`in.${format}`]: content },
    outputs: [`out.${format}`],
  })
  return outputs[`out.${format}`] ?? Buffer.alloc(0)
}

/** An image with private metadata, a thumbnail and a title. */
export async function tagImage(bench: PlanBench, content: Uint8Array, format: string): Promise<Buffer> {
  const own = ['jpg', 'tiff', 'psd'].includes(format) ? iptc : []
  const text = format === 'png' ? [`-PNG:Author=${traitor}`, `-PNG:Software=${traitor}`] : []
  return tagFile(bench, content, format, [...privateTags, ...gps, ...own, ...text, ...harmless])
}

export const fixture = (name: FixtureName) => readFileSync(fixturePath(name))
