import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { docx } from '../../../../fixtures/attacks/office-packages.ts'
import { onePage, pdfOf } from '../../../../fixtures/attacks/pdf.ts'
import { zipOf } from '../../../../fixtures/attacks/zip.ts'
import { documentLimits } from '../../../../packages/engines/src/documents/limits.ts'
import { isWithin, steps } from './steps.ts'

const MiB = 1024 ** 2

const bench = usePlanBench()

async function endOf(format: string, content: Uint8Array, { to = 'pdf', options = {} } = {}): Promise<string> {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to, options })
  return end.kind === 'done' ? 'done' : end.code
}

describe('pages of a PDF, 10,000', () => {
  it.each(steps)('%s [L-pages]', async (_, step) => {
    const count = 10_000 + step
    const pages = Array.from({ length: count }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>')
    const kids = pages.map((_page, n) => `${n + 3} 0 R`).join(' ')
    const tree = `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`
    const pdf = pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', tree, ...pages])
    const end = await endOf('pdf', pdf, { to: 'png', options: { pages: '1' } })
    expect(end).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('pixels a side of a drawn page, 10,000', () => {
  it.each(steps)('%s [L-side]', async (_, step) => {
    // At 72 dpi a point is a pixel.
    const pdf = onePage({ box: `0 0 ${10_000 + step} 9` })
    const end = await endOf('pdf', pdf, { to: 'png', options: { dpi: 72 } })
    expect(end).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

const letter = '<w:p><w:r><w:t>x</w:t></w:r></w:p>'
/** The members a letter has by itself. */
const own = 4

describe('members of a document’s archive, 10,000', () => {
  it.each(steps)('%s [L-zip-members]', async (_, step) => {
    const more = Array.from({ length: 10_000 + step - own }, (_member, n) => ({
      name: `x/${n}`,
      content: '',
      store: true,
    }))
    expect(await endOf('docx', docx(letter, { more }))).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('archives within an archive, 16', () => {
  it.each(steps)('%s [L-zip-depth]', async (_, step) => {
    let content: Uint8Array = Buffer.from('a')
    for (let depth = 0; depth < 16 + step; depth++) content = zipOf([{ name: 'x', content, store: true }])
    const more = [{ name: 'x/inner', content, store: true }]
    expect(await endOf('docx', docx(letter, { more }))).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('unpacked bytes of a document before its ratio counts, 64 MiB', () => {
  it.each(steps)('%s [L-zip-ratio-from]', async (_, step) => {
    const alone = unpackedSize(docx(letter))
    const more = [{ name: 'x/zeros', content: Buffer.alloc(64 * MiB + step - alone) }]
    expect(await endOf('docx', docx(letter, { more }))).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

/** As the archive's directory tells it. */
function unpackedSize(archive: Buffer): number {
  const mark = Buffer.from('PK\x01\x02', 'latin1')
  let size = 0
  for (let at = archive.indexOf(mark); at !== -1; at = archive.indexOf(mark, at + 4))
    size += archive.readUInt32LE(at + 24)
  return size
}

// With a smaller number in the place of 2 GiB: it is the same code that counts, in seconds instead of minutes.
describe('unpacked bytes of a document, 2 GiB', () => {
  it('is the limit that documents are checked against', () => {
    expect(documentLimits.zip).toMatchObject({ bytes: 2 * 1024 * MiB, ratio: 100, ratioAfterBytes: 64 * MiB })
  })

  it.each(steps)('%s [L-zip-bytes]', async (_, step) => {
    const end = await guard(zipOf([{ name: 'x', content: Buffer.alloc(10_000 + step), store: true }]), {
      bytes: 10_000,
    })
    expect(end).toBe(isWithin(step) ? 0 : 1)
  })
})

describe('unpacked bytes for each packed one, 100', () => {
  it.each(steps)('%s [L-zip-ratio]', async (_, step) => {
    const filler = { name: 'filler', content: Buffer.alloc(10_000), store: true }
    const archiveOf = (size: number) => zipOf([filler, { name: 'zeros', content: Buffer.alloc(size) }])
    // As many zeros as make exactly the ratio: the archive grows with them, so the number is approached.
    let zeros = 1_000_000
    for (let n = 0; n < 20; n++) zeros = 100 * archiveOf(zeros).length - filler.content.length
    const archive = archiveOf(zeros + step)
    expect(archive).toHaveLength(archiveOf(zeros).length)
    expect(await guard(archive, { ratioAfterBytes: 0 })).toBe(isWithin(step) ? 0 : 1)
  })
})

describe('pages of an office document, 10,000', () => {
  const slides = (count: number) => zipOf([{ name: 'ppt/presentation.xml', content: '<p:sldId />'.repeat(count) }])
  // As LibreOffice writes the tree of pages; the pages themselves are not looked at.
  const printed = (count: number) => Buffer.from(`%PDF-1.7\n1 0 obj<</Type/Pages\n/Count ${count}>>\nendobj\n`)

  it.each(steps)('%s [L-pages]', async (_, step) => {
    const end = isWithin(step) ? 0 : 1
    expect(documentLimits.pages).toBe(10_000)
    expect(await check('check_slides', slides(10_000 + step))).toBe(end)
    expect(await check('check_printed', printed(10_000 + step))).toBe(end)
  })

  async function check(name: string, content: Buffer): Promise<number> {
    const scripts = readdirSync(officeFolder).filter((script) => script.endsWith('.py'))
    const texts = scripts.map((script) => [script, readFileSync(join(officeFolder, script))])
    const program = `import sys
from pages import ${name}
from refusal import Refusal
try:
    ${name}("x.bin", ${documentLimits.pages})
except Refusal as refusal:
    sys.exit(1 if refusal.code == "limit_exceeded" else 2)
`
    const files = { ...Object.fromEntries(texts), 'x.bin': content, 'main.py': program }
    const { end } = await bench.tool('python3', ['main.py'], { files })
    return end.kind === 'exited' ? end.code : -1
  }
})

/** Runs the guard on an archive as the office runner does; gives the exit code, 0 for one that may be opened. */
async function guard(archive: Buffer, limits: Record<string, number>): Promise<number> {
  const scripts = ['guard_zip.py', 'refusal.py'].map((name) => [name, readFileSync(join(officeFolder, name))])
  const program = `import sys
from guard_zip import guard_zip
from refusal import Refusal
try:
    guard_zip("x.zip", "docx", ${JSON.stringify({ ...documentLimits.zip, ...limits })})
except Refusal as refusal:
    sys.exit(1 if refusal.code == "limit_exceeded" else 2)
`
  const files = { ...Object.fromEntries(scripts), 'x.zip': archive, 'main.py': program }
  const { end } = await bench.tool('python3', ['main.py'], { files })
  return end.kind === 'exited' ? end.code : -1
}

const officeFolder = join(import.meta.dirname, '../../../../packages/engines/src/office')
