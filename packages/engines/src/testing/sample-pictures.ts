import type { PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { sampleDng } from './sample-dng.ts'
import { sampleRareImages } from './sample-rare-images.ts'
import { sampleXcf } from './sample-xcf.ts'

/** 160 x 120 pixels: red on the left, blue on the right. */
export function samplePng(): Promise<Buffer> {
  const blue = { create: { width: 80, height: 120, channels: 3, background: '#0000ff' } } as const
  return sharp({ create: { width: 160, height: 120, channels: 3, background: '#ff0000' } })
    .composite([{ input: blue, left: 80, top: 0 }])
    .png()
    .toBuffer()
}

/** The same image in a format that ImageMagick writes. */
export async function makePicture(bench: PlanBench, format: string): Promise<Buffer> {
  const [file, files] = [`a.${format}`, { 'a.png': await samplePng() }]
  const { outputs, end } = await bench.tool('magick', ['png:a.png', `${format}:${file}`], { files, outputs: [file] })
  const made = outputs[file]
  if (made === undefined) throw new Error(`no sample of ${format}: ${JSON.stringify(end)}`)
  return made
}

const laterFormats = [
  ...['aai', 'avs', 'dpx', 'ff', 'fl32', 'ipl', 'jbg', 'jng', 'mng', 'mtv', 'pdb', 'pgx', 'phm', 'pict'],
  ...['vicar', 'viff', 'vips', 'wbmp', 'xbm', 'xpm', 'xwd'],
]

/** ImageMagick's names of formats that have another name here. */
const coderNames: Readonly<Record<string, string>> = { ff: 'farbfeld', jbg: 'jbig' }

/** The same image in every format that this engine reads, made by the engines' own programs. */
export async function samplePictures(bench: PlanBench): Promise<Readonly<Record<string, Buffer>>> {
  const png = await samplePng()
  const files = { 'a.png': png }
  const made: Record<string, Buffer> = { raw: sampleDng(), xcf: sampleXcf(), ...sampleRareImages() }
  const formats = [
    'heic',
    'jp2',
    'bmp',
    'ico',
    'psd',
    'tga',
    'exr',
    'hdr',
    'dds',
    'ppm',
    'pgm',
    'pbm',
    'pam',
    'pcx',
    'sgi',
    'qoi',
    'pcd',
    ...laterFormats,
  ]
  const all = formats.map((format) => `${coderNames[format] ?? format}:a.${format}`)
  const writes = all.slice(0, -1).flatMap((target) => ['-write', target])
  const { outputs, end } = await bench.tool('magick', ['png:a.png', ...writes, all.at(-1) ?? ''], {
    files,
    outputs: formats.map((format) => `a.${format}`),
  })
  if (Object.keys(outputs).length !== formats.length) throw new Error(`samples are missing: ${JSON.stringify(end)}`)
  for (const format of formats) made[format] = outputs[`a.${format}`] ?? Buffer.alloc(0)
  const jxl = await bench.tool('cjxl', ['a.png', 'a.jxl', '-d', '0'], { files, outputs: ['a.jxl'] })
  made.jxl = jxl.outputs['a.jxl'] ?? Buffer.alloc(0)
  return made
}
