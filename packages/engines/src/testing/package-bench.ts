import { isFailure } from '@lathe/domain'
import type { PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { zipParts } from './reveal.ts'

/** A part of a package, as an independent reader lists it. */
export interface Part {
  readonly name: string
  readonly isStored: boolean
  readonly content: Buffer
}

const script = `import json, zipfile
with zipfile.ZipFile('a.zip') as archive:
    assert archive.testzip() is None
    for i in archive.infolist(): print(json.dumps([i.filename, i.compress_type, i.file_size]))`

/** The parts of a package in order. Python verifies their checksums. */
export async function partsOf(bench: PlanBench, bytes: Buffer): Promise<readonly Part[]> {
  const { stdout, end } = await bench.tool('python3', ['-c', script], { files: { 'a.zip': bytes } })
  if (end.kind !== 'exited' || end.code !== 0) throw new Error(`not a good archive: ${JSON.stringify(end)}`)
  const contents = zipParts(bytes)
  const listed = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as [string, number, number])
  return listed.map(([name, type, size], n) => {
    const isStored = type === 0
    return { name, isStored, content: contents[n]?.subarray(0, size) ?? Buffer.alloc(0) }
  })
}

/** Each page of a document as LibreOffice draws it, as raw pixels. */
export async function drawn(bench: PlanBench, format: string, content: Buffer) {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to: 'png' })
  if (isFailure(end)) throw new Error(`${end.code} ${end.text} ${end.detail}`)
  return Promise.all(
    end.files.map(async ({ bytes }) => {
      const { data, info } = await sharp(bytes).flatten().raw().toBuffer({ resolveWithObject: true })
      return { data, width: info.width, height: info.height, channels: info.channels }
    }),
  )
}
