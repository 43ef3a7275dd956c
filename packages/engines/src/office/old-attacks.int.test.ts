import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { isFailure } from '@lathe/domain'
import { amount, openPlanBench, type PlanBench } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { damagedBinaries } from '../../../../fixtures/attacks/binary-office.ts'
import {
  climbingPackages,
  entityDocuments,
  type OldDocument,
  packages,
  packedBombs,
  reachingOldDocuments,
} from '../../../../fixtures/attacks/old-office.ts'
import { oldDocuments } from '../../../../fixtures/office/old-documents.ts'
import { findReader } from '../documents/formats.ts'
import { reveal } from '../testing/reveal.ts'
import { openTripwire, type Tripwire } from '../testing/tripwire.ts'

// LibreOffice sees these files inside the sandbox, so they test its own settings as well.
const seen = { file: '/etc/passwd', holds: 'nobody:x:65534', picture: '/usr/lib/libreoffice/program/intro.png' }
const token = `canary${randomBytes(13).toString('hex')}`

/** All items, or a sample chosen by the seed. */
function some<T>(all: readonly T[]): readonly T[] {
  const step = amount({ whole: 1, sample: 6 })
  const first = Number(process.env.LATHE_ATTACKS_SEED ?? 0) % step
  return all.filter((_, n) => n % step === first % Math.min(step, all.length))
}

let bench: PlanBench
let folder: string
let tripwire: Tripwire

beforeAll(async () => {
  folder = await mkdtemp('/var/tmp/lathe-canary-')
  await chmod(folder, 0o777)
  await writeFile(join(folder, 'canary'), token, { mode: 0o644 })
  tripwire = await openTripwire()
  bench = await openPlanBench()
})
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  tripwire[Symbol.dispose]()
  await rm(folder, { recursive: true })
})

const url = () => `http://127.0.0.1:${tripwire.port}`
const nowhere = { file: '/a', picture: '/b', url: 'http://127.0.0.1:1' }
const refusals = ['input_damaged', 'input_encrypted', 'unsupported', 'limit_exceeded']
const others = { writer: 'docx', calc: 'csv', impress: 'odp', draw: 'odg' } as const

/** All readable text in the output of a document, or the failure if it was refused. */
async function readable({ filename, content }: OldDocument, to: string): Promise<string> {
  const format = extname(filename).slice(1)
  const startedAt = performance.now()
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to })
  expect(performance.now() - startedAt).toBeLessThan(60_000)
  if (isFailure(end)) {
    expect(refusals, end.detail ?? '').toContain(end.code)
    return `${end.code} ${end.text} ${end.detail}`
  }
  return (await Promise.all(end.files.map(({ bytes }) => asText(bytes)))).join('\n')
}

async function asText(bytes: Buffer): Promise<string> {
  if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return reveal(bytes)
  const { stdout } = await bench.tool('pdftotext', ['a.pdf', '-'], { files: { 'a.pdf': bytes } })
  const images = await bench.tool('pdfimages', ['-list', 'a.pdf'], { files: { 'a.pdf': bytes } })
  // LibreOffice draws icons of 16 x 16 or 32 x 32 pixels for images and objects that it does not show.
  const pictures = images.stdout.split('\n').filter((line) => /^ *\d/.test(line) && !/ (16 +16|32 +32) /.test(line))
  return `${reveal(bytes)}\n${stdout}\n${pictures.length > 0 ? 'A PICTURE' : ''}`
}

function targetsOf({ filename }: OldDocument): readonly string[] {
  const reader = findReader(extname(filename).slice(1))
  if (reader === undefined) throw new Error(`nothing reads ${filename}`)
  return ['pdf', others[reader.program]]
}

function pick(documents: Readonly<Record<string, OldDocument>>, name: string): OldDocument {
  const document = documents[name]
  if (document === undefined) throw new Error(`no document: ${name}`)
  return document
}

/** Converts a valid document of the same kind, to check that the runner still works after an attack. */
async function stillWorks(): Promise<void> {
  expect(await readable({ filename: 'x.sxw', content: packages().sxw ?? '' }, 'pdf')).not.toMatch(/^input_damaged/)
}

describe('a document of an older format that refers to something else', () => {
  it.each(some(Object.keys(reachingOldDocuments(nowhere))))('A07: %s reaches neither file nor host', async (name) => {
    const near = pick(reachingOldDocuments({ file: seen.file, picture: seen.picture, url: url() }), name)
    const canary = join(folder, 'canary')
    const far = pick(reachingOldDocuments({ file: canary, picture: canary, url: url() }), name)
    for (const to of targetsOf(near)) {
      const found = await readable(near, to)
      expect(found.includes(seen.holds)).toBe(false)
      expect(found.includes('A PICTURE')).toBe(false)
    }
    expect((await readable(far, 'pdf')).includes(token)).toBe(false)
    expect(tripwire.hits()).toBe(0)
  })

  it('A07: leaves a runner that works', stillWorks)
})

describe('a document of an older format with a document type', () => {
  it.each(some(Object.keys(entityDocuments(nowhere))))(
    'A07: %s reaches neither file nor host, and ends',
    async (name) => {
      const document = pick(entityDocuments({ file: seen.file, picture: seen.picture, url: url() }), name)
      expect((await readable(document, 'pdf')).includes(seen.holds)).toBe(false)
      expect(tripwire.hits()).toBe(0)
    },
  )
})

describe('an archive of an older format', () => {
  it.each(some(Object.entries(packedBombs())))('B01: %s is refused', async (_, bomb) => {
    expect(await readable(bomb, 'pdf')).toMatch(/^limit_exceeded/)
  })

  it.each(some(Object.keys(climbingPackages('/a'))))('A11: %s writes nothing outside', async (name) => {
    await readable(pick(climbingPackages(join(folder, 'pwned')), name), 'pdf')
    expect(await readdir(folder)).toEqual(['canary'])
  })
})

describe('a damaged binary document', () => {
  it.each(some(Object.entries(damagedBinaries())))('A13: %s converts or is refused', async (_, document) => {
    await readable(document, 'pdf')
  })

  it('A13: leaves a runner that works', stillWorks)
})

describe('the files of the tables', () => {
  it.each([
    'wri',
    'wpd',
    'dif',
    'dbf',
    'xlsb',
    'sxw',
    'sxc',
    'sxi',
    'sti',
    'sxd',
    'std',
    'pages',
    'wordxml',
    'excelxml',
  ])('is valid without the attack: %s', async (ext) => {
    const content = oldDocuments[ext]?.() ?? ''
    expect(await readable({ filename: `x.${ext}`, content }, 'pdf')).toContain('%PDF-')
  })
})
