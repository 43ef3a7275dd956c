import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { type ZipMember, zipOf } from '../../../../fixtures/attacks/zip.ts'
import { docxOf } from '../../../../fixtures/office/image-documents.ts'
import { photo } from '../../../../fixtures/photo.ts'
import { packageLimits } from '../../../../packages/engines/src/package/limits.ts'
import { partsOf } from '../../../../packages/engines/src/testing/package-bench.ts'
import { isWithin, steps } from './steps.ts'

const MiB = 1024 ** 2

const bench = usePlanBench()

const compress = (content: Buffer) =>
  bench.run({ operation: 'compress', sources: [{ format: 'docx', content }], to: 'docx' })

describe('files in a document to compress, 10,000', () => {
  it.each(steps)('%s [L-package-entries]', async (_, step) => {
    const list: ZipMember = { name: '[Content_Types].xml', content: '<Types/>' }
    const others = Array.from({ length: 9999 + step }, (_file, n) => ({ name: `word/${n}`, content: '', store: true }))
    const end = await compress(zipOf([list, ...others]))
    expect(isFailure(end) ? end.code : 'done').toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('bytes of an image in a document to compress, 64 MiB', () => {
  it.each(steps)('%s [L-package-image]', async (_, step) => {
    const image = await photo(1200, 800, { grain: 6 }).jpeg({ quality: 95 }).toBuffer()
    // What follows the end of a JPEG belongs to nothing, and every decoder passes over it.
    const long = Buffer.concat([image, Buffer.alloc(64 * MiB + step - image.length)])
    const end = await compress(docxOf([{ file: 'a.jpg', bytes: long, width: 2, height: 2 }]))
    if (isFailure(end)) throw new Error(`${end.code} ${end.text}`)
    const parts = await partsOf(bench, end.files[0]?.bytes ?? Buffer.alloc(0))
    const kept = parts.find(({ name }) => name.endsWith('.jpg'))?.content.length ?? 0
    if (isWithin(step)) expect(kept).toBeLessThan(image.length)
    else expect(kept).toBe(long.length)
  })
})

// With a smaller number in the place of 3 minutes: it is the same clock that is asked.
describe('time for the images of a document to compress, 180 s [L-package-time]', () => {
  const script = new URL('../../../../packages/engines/src/vips/package.mjs', import.meta.url).href

  async function warningsWithin(imagesMs: number): Promise<readonly string[]> {
    const { compressPackage } = (await import(script)) as { compressPackage(call: object): Promise<void> }
    const folder = await mkdtemp(join(tmpdir(), 'lathe-package-'))
    await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
    const image = await photo(400, 300, { grain: 6 }).jpeg({ quality: 95 }).toBuffer()
    const images = ['a.jpg', 'b.jpg'].map((file) => ({ file, bytes: image, width: 2, height: 2 }))
    const [path, output] = [join(folder, 'in-0.docx'), join(folder, 'out-0.docx')]
    await writeFile(path, docxOf(images))
    const warnings: string[] = []
    await compressPackage({
      inputs: [{ path, format: 'docx' }],
      output: { path: output },
      limits: { ...packageLimits, imagesMs },
      params: { quality: 60, similarity: 0.5 },
      progress: () => {},
      warnings,
    })
    return warnings
  }

  it('is what a document is given', () => {
    expect(packageLimits.imagesMs).toBe(180_000)
  })

  it('is enough for images that are reduced sooner', async () => {
    expect(await warningsWithin(60_000)).toEqual([])
  })

  it('leaves the remaining images as they are, and says so', async () => {
    expect(await warningsWithin(-1)).toEqual(['2 images were left as they are: the time for images was used up.'])
  })
})
