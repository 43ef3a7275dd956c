import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { extname, join } from 'node:path'
import { isFailure } from '@lathe/domain'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docm, macroDocuments, reachingDocuments } from '../../../../fixtures/attacks/office.ts'
import { endlessDocuments, zipBombs } from '../../../../fixtures/attacks/office-bombs.ts'
import { zipOf } from '../../../../fixtures/attacks/zip.ts'
import { fixturePath } from '../../../../fixtures/fixtures.ts'
import { documentLimits } from '../documents/limits.ts'
import { reveal, zipParts } from '../testing/reveal.ts'

// The sandbox hides both canaries from LibreOffice. These files it can see, so they test its own settings as well.
const seen = { file: '/etc/passwd', holds: 'nobody:x:65534', picture: '/usr/lib/libreoffice/program/intro.png' }
const token = `canary${randomBytes(13).toString('hex')}`
const variable = 'CANARY_ENV'
/** LibreOffice draws images that an SVG in a document names, if it can see the files: only those in the engine root. */
const followed = ['DOCX with a drawing that names a file']

let bench: PlanBench
let folder: string
let tripwire: Server
let hits = 0

beforeAll(async () => {
  folder = await mkdtemp('/var/tmp/lathe-canary-')
  await chmod(folder, 0o777)
  await writeFile(join(folder, 'canary'), token, { mode: 0o644 })
  process.env[variable] = token
  tripwire = createServer((socket) => {
    hits += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(tripwire, 'listening')
  bench = await openPlanBench()
})
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  tripwire.close()
  delete process.env[variable]
  await rm(folder, { recursive: true })
})

const url = () => `http://127.0.0.1:${(tripwire.address() as AddressInfo).port}`
const formatOf = (filename: string) => extname(filename).slice(1)

interface Sent {
  readonly filename: string
  readonly content: string | Uint8Array
}

async function send({ filename, content }: Sent, to: string, options = {}) {
  return bench.run({ operation: 'convert', sources: [{ format: formatOf(filename), content }], to, options })
}

/** All readable text in the outputs, or the failure if the document was refused. */
async function readable(document: Sent, to: string): Promise<string> {
  const end = await send(document, to)
  if (isFailure(end)) return `${end.code} ${end.text} ${end.detail}`
  const texts = await Promise.all(end.files.map(({ bytes }) => asText(bytes)))
  return texts.join('\n')
}

async function asText(bytes: Buffer): Promise<string> {
  if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return reveal(bytes)
  const { stdout } = await bench.tool('pdftotext', ['a.pdf', '-'], { files: { 'a.pdf': bytes } })
  const images = await bench.tool('pdfimages', ['-list', 'a.pdf'], { files: { 'a.pdf': bytes } })
  // LibreOffice draws an icon of 32 x 32 pixels for an object that it does not show.
  const pictures = images.stdout.split('\n').filter((line) => /^ *\d/.test(line) && !/ 32 +32 /.test(line))
  return `${reveal(bytes)}\n${stdout}\n${pictures.length > 0 ? 'A PICTURE' : ''}`
}

/** A format other than PDF that the program of this document writes. */
function kinOf(filename: string): string {
  if (/\.(xlsx|f?ods)$/.test(filename)) return 'csv'
  return filename.endsWith('.html') ? 'odt' : 'html'
}

async function stillWorks() {
  const content = await readFile(fixturePath('letter.docx'))
  expect(await send({ filename: 'x.docx', content }, 'pdf')).toMatchObject({ kind: 'done' })
}

describe('a document that refers to something else', () => {
  const reach = (file: string, picture: string) =>
    reachingDocuments({ file, picture, folder: '/var/tmp', url: url(), variable })
  const names = Object.keys(reachingDocuments({ file: '/a', picture: '/b', folder: '/c', url: 'http://d', variable }))

  it.each(names)('A07: %s gives no byte of a file it can see, nor of a canary', async (name) => {
    const [near, far] = [
      reach(seen.file, seen.picture)[name],
      reach(join(folder, 'canary'), join(folder, 'canary'))[name],
    ]
    if (!near || !far) throw new Error('no such document')
    for (const to of ['pdf', kinOf(near.filename)]) {
      const found = await readable(near, to)
      expect(found.includes(seen.holds)).toBe(false)
      if (!followed.includes(name)) expect(found.includes('A PICTURE')).toBe(false)
      expect((await readable(far, to)).includes(token)).toBe(false)
    }
    expect(hits).toBe(0)
  })
})

describe('a document with macros', () => {
  const macros = () => macroDocuments({ file: '', picture: '', folder, url: url(), variable })

  it.each(Object.keys(macroDocuments({ file: '', picture: '', folder: '/a', url: '', variable })))(
    'A07: %s runs none of them',
    async (name) => {
      const document = macros()[name]
      if (!document) throw new Error('no such document')
      for (const to of ['pdf', 'docx']) expect(await readable(document, to)).not.toContain(token)
      expect(await readdir(folder)).toEqual(['canary'])
      await stillWorks()
    },
  )

  it.each(['docx', 'odt', 'doc', 'rtf', 'html'])('A15: DOCM to %s drops them', async (to) => {
    const found = await readable({ filename: 'x.docm', content: docm() }, to)
    expect(found).not.toMatch(/vbaProject|macroEnabled|_VBA_|Basic\/Standard/)
    expect(found).toContain('m')
  })

  it.each(['ott', 'fodt', 'docx', 'html'])(
    'A15: ODT with Basic to %s drops it, and what would start it',
    async (to) => {
      const document = macros()['ODT with Basic on opening']
      if (!document) throw new Error('no such document')
      const found = await readable(document, to)
      expect(found).not.toMatch(/Sub Main|For Output|vnd\.sun\.star\.script|pwned/)
    },
  )

  it('A15: a web page with scripts loses them', async () => {
    const content = '<html><body onload="alert(17)"><script>alert(18)</script><p>kept</p></body></html>'
    const odt = await readable({ filename: 'x.html', content }, 'odt')
    expect(odt).toContain('kept')
    expect(odt).not.toMatch(/alert\(1[78]\)/)
  })
})

describe('a document that is a bomb', () => {
  const bombs = Object.entries(zipBombs()).filter(([, { filename }]) => /\.(docx|odt|xlsx)$/.test(filename))

  it.each(bombs)('B01: %s is refused', async (_, bomb) => {
    const end = await send(bomb, 'pdf')
    expect(isFailure(end) && end.code).toMatch(/^(limit_exceeded|input_damaged)$/)
  })

  const endless = Object.entries(endlessDocuments()).filter(([name]) => !/every (cell|row)/.test(name))

  it.each(endless)('B07: %s comes to an end', async (_, document) => {
    const startedAt = performance.now()
    const end = await send(document, 'pdf')
    if (isFailure(end)) expect(['limit_exceeded', 'input_damaged', 'input_encrypted']).toContain(end.code)
    expect(performance.now() - startedAt).toBeLessThan(60_000)
  })

  it('B01, B07: leaves a runner that works', stillWorks)
})

describe('a limit on archives', () => {
  const { entries, bytes, ratio, ratioAfterBytes, depth } = documentLimits.zip
  const start = { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', store: true } as const
  const code = async (members: Parameters<typeof zipOf>[0]) => {
    const end = await send({ filename: 'x.odt', content: zipOf([start, ...members]) }, 'pdf')
    return isFailure(end) ? `${end.code} ${end.text}` : end.kind
  }
  const empty = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `${n}`, content: '', store: true }))

  it(`is ${entries} members`, async () => {
    expect(await code(empty(entries - 1))).not.toContain('limit')
    expect(await code(empty(entries))).toContain('limit_exceeded')
  })

  it(`is ${ratio} to 1 once ${ratioAfterBytes} bytes have come`, async () => {
    const zeros = (size: number) => [{ name: 'content.xml', content: Buffer.alloc(size) }]
    expect(await code(zeros(ratioAfterBytes - 1024))).not.toContain('limit')
    expect(await code(zeros(ratioAfterBytes + 1024))).toContain('limit_exceeded')
    expect(bytes).toBe(2 * 1024 ** 3)
  })

  it(`is ${depth} archives within one another`, async () => {
    const nested = (count: number): Buffer =>
      zipOf([{ name: 'x.zip', content: count > 1 ? nested(count - 1) : 'a', store: true }])
    expect(await code([{ name: 'x.zip', content: nested(depth), store: true }])).not.toContain('limit')
    expect(await code([{ name: 'x.zip', content: nested(depth + 1), store: true }])).toContain('limit_exceeded')
  })

  it('holds for all archives in the document together', async () => {
    const zeros = zipOf([{ name: 'a', content: Buffer.alloc(ratioAfterBytes / 4) }])
    const inner = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: `${n}.zip`, content: zeros, store: true }))
    expect(await code(inner(3))).not.toContain('limit')
    expect(await code([{ name: 'x.zip', content: zipOf(inner(5)), store: true }])).toContain('limit_exceeded')
  })
})

describe('a CSV file with formulas', () => {
  const cells = ['=1+1', '=cmd|calc', '+1+1', '-2+3', '@SUM(1)', '\t=1+1']

  it('C05: keeps them as text in a workbook', async () => {
    const end = await send({ filename: 'x.csv', content: cells.map((cell) => `"${cell}"`).join('\n') }, 'xlsx')
    if (isFailure(end)) throw new Error(end.code)
    const parts = zipParts(end.files[0]?.bytes ?? Buffer.alloc(0)).map(String)
    const sheet = parts.find((part) => part.includes('<sheetData>')) ?? ''
    expect(sheet).not.toMatch(/<f[ >]/)
    expect(parts.join('\n')).toContain('=1+1')
    expect(parts.join('\n')).toContain('@SUM(1)')
  })

  it('C05: evaluates them only on request', async () => {
    const end = await send({ filename: 'x.csv', content: '=1+1\n' }, 'xlsx', { formulas: true })
    if (isFailure(end)) throw new Error(end.code)
    expect(reveal(end.files[0]?.bytes ?? Buffer.alloc(0))).toMatch(/<f[^>]*>1\+1<\/f>/)
  })
})
