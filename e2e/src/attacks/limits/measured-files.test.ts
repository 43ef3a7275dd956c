import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gifOf } from '../../../../fixtures/attacks/gif.ts'
import { docx } from '../../../../fixtures/attacks/office-packages.ts'
import { makeMsg } from '../../../../fixtures/mail.ts'
import { rawPdf } from '../../../../packages/engines/src/pdf/hostile-pdf.ts'
import { makeEpub } from '../../../../packages/engines/src/testing/sample-books.ts'
import { collectFiles } from '../../corpus/collect-files.ts'
import { LargestOfEach } from '../../corpus/limits/largest.ts'
import { measureInputs } from '../../corpus/limits/measure-inputs.ts'

let bench: PlanBench
let folder: string
beforeAll(async () => {
  bench = await openPlanBench()
  folder = await mkdtemp(join(tmpdir(), 'lathe-measured-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await bench[Symbol.asyncDispose]()
})

const page = (side: number) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${side} 200] >>`
const message = 'From a@example.org Tue Feb  3 10:00:00 2026\nSubject: x\n\nwords\n\n'

async function video(): Promise<Buffer> {
  const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', 'color=s=64x32:r=20:d=2', '-c:v', 'mpeg4', 'x.mkv']
  const { outputs } = await bench.tool('ffmpeg', args, { outputs: ['x.mkv'] })
  return outputs['x.mkv'] ?? Buffer.alloc(0)
}

async function measure(files: Readonly<Record<string, string | Uint8Array>>) {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  const most = new LargestOfEach()
  await measureInputs(bench, await collectFiles([folder]), most)
  return Object.fromEntries(Object.entries(most.found).map(([measure, { largest }]) => [measure, largest?.value]))
}

describe('real files', () => {
  it('are measured by their headers, each by what can read it', async () => {
    const inner = docx('<w:p/>')
    const found = await measure({
      'a.png': await sharp({ create: { width: 300, height: 20, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
      'a.gif': gifOf({ width: 2, height: 2, frames: 5 }),
      'a.docx': docx('<w:p/>', { more: [{ name: 'word/embeddings/a.docx', content: inner, store: true }] }),
      'a.epub': makeEpub(),
      'a.pdf': rawPdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
        page(200),
        page(700),
      ]),
      'a.mbox': message.repeat(3),
      'a.msg': makeMsg(),
      'a.mkv': await video(),
      'broken.png': 'no image at all',
      'broken.docx': 'PK\x03\x04 no archive at all',
    })
    expect(found).toMatchObject({
      ...{ imagePixels: 6000, imageFrames: 5, imageFramesPixels: 20 },
      ...{ archiveDepth: 1, bookEntries: 6, pdfPages: 2, pdfPoints: 700, mailMessages: 3 },
      ...{ mediaSide: 64, mediaRate: 20, mediaStreams: 1 },
    })
    expect(found.mediaSeconds).toBeCloseTo(2, 1)
    // Those of the document inside count as well.
    expect(found.archiveEntries).toBeGreaterThan(found.packageEntries ?? 0)
  })
})
