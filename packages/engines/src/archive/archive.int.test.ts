import { gzipSync, zstdCompressSync } from 'node:zlib'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { tarOf } from '../../../../fixtures/attacks/archives.ts'
import { zipOf } from '../../../../fixtures/attacks/zip.ts'

const bench = usePlanBench()

async function extract(format: string, content: Buffer, options: Record<string, unknown> = {}) {
  const end = await bench.run({ operation: 'extract', sources: [{ format, content }], to: format, options })
  if (isFailure(end)) return `${end.code}: ${end.text}`
  const files = end.files.map(({ name, folder, bytes }) => [folder ? `${folder}/${name}` : name, bytes.toString()])
  return { files: Object.fromEntries(files), warnings: end.warnings }
}

const content = { 'a.txt': 'first', 'deep/er/b ü.txt': 'second', empty: '' }

/** Packs the same three files with bsdtar. */
async function pack(args: readonly string[]): Promise<Buffer> {
  const tar = tarOf(Object.entries(content).map(([name, text]) => ({ name, content: text })))
  const { outputs } = await bench.tool('bsdtar', [...args, '-cf', 'out', '@in.tar'], {
    files: { 'in.tar': tar },
    outputs: ['out'],
  })
  return outputs.out ?? Buffer.alloc(0)
}

describe('extract', () => {
  it.each([
    ['zip', ['--format=zip']],
    ['7z', ['--format=7zip']],
    ['iso', ['--format=iso9660']],
    ['tar', ['--format=pax']],
    ['gz', ['-z']],
    ['tar.gz', ['-z']],
    ['bz2', ['-j']],
    ['xz', ['-J']],
    ['zst', ['--zstd']],
    ['tar.zst', ['--zstd']],
  ])('gives the files of %s with their names and folders', async (format, args) => {
    expect(await extract(format, await pack(args))).toEqual({ files: content, warnings: [] })
  })

  it('returns the one file of a compressed file, named after it, also an empty one', async () => {
    expect(await extract('gz', gzipSync('text'))).toEqual({ files: { 'in-0': 'text' }, warnings: [] })
    expect(await extract('gz', gzipSync(''))).toEqual({ files: { 'in-0': '' }, warnings: [] })
  })

  it.each([
    ['gz', ['-z'], gzipSync('')],
    ['bz2', ['-j'], Buffer.from('425a683917724538509000000000', 'hex')],
    ['xz', ['-J'], Buffer.from('fd377a585a000004e6d6b446000000001cdf44211fb6f37d010000000004595a', 'hex')],
    ['zst', ['--zstd'], zstdCompressSync('')],
  ])('distinguishes an empty file from one that cannot be decompressed: %s', async (format, args, empty) => {
    expect(await extract(format, empty)).toEqual({ files: { 'in-0': '' }, warnings: [] })
    const damaged = await pack(args)
    damaged.fill(0xff, 14)
    for (const kind of [format, `tar.${format}`]) expect(await extract(kind, damaged)).toMatch(/^input_damaged/)
  })

  it('gives the files asked for, in folders or without', async () => {
    const zip = await pack(['--format=zip'])
    expect(await extract('zip', zip, { only: 'A.*' })).toMatchObject({ files: { 'a.txt': 'first' } })
    expect(await extract('zip', zip, { only: 'deep/*', folders: false })).toEqual({
      files: { 'b ü.txt': 'second' },
      warnings: [],
    })
    expect(await extract('zip', zip, { only: '*.jpg' })).toBe('no_files: No file in the archive fits the option only.')
  })

  it('opens an encrypted ZIP by its password only', async () => {
    const zip = Buffer.from(encryptedZip, 'base64')
    expect(await extract('zip', zip)).toMatch(/^input_encrypted: The archive is encrypted/)
    expect(await extract('zip', zip, { password: 'wrong' })).toMatch(/^input_encrypted: The option password is not/)
    expect(await extract('zip', zip, { password: 'open sesame' })).toMatchObject({ files: { 's.txt': 'secret\n' } })
  })

  it('returns what can be read of a damaged archive, unless it is strict', async () => {
    const tar = tarOf([
      { name: 'a', content: 'x' },
      { name: 'b', content: 'y'.repeat(5000) },
    ]).subarray(0, 2048)
    expect(await extract('tar', tar)).toEqual({ files: { a: 'x' }, warnings: [expect.stringContaining('damaged')] })
    expect(await extract('tar', tar, { strict: true })).toMatch(/^input_damaged/)
    expect(await extract('7z', Buffer.from('7z\xbc\xaf\x27\x1c nothing', 'latin1'))).toMatch(/^input_damaged/)
  })

  it('numbers names that occur twice, whatever their case', async () => {
    const members = ['x.txt', 'X.TXT', 'd/x.txt', './x.txt'].map((name, n) => ({ name, content: `${n}` }))
    const files = { 'x.txt': '0', 'X-2.TXT': '1', 'd/x.txt': '2', 'x-3.txt': '3' }
    expect(await extract('zip', zipOf(members))).toMatchObject({ files })
  })

  it('keeps an archive inside an archive closed, and a file compressed twice compressed once', async () => {
    const inner = zipOf([{ name: 'b', content: 'x' }])
    const end = await extract('zip', zipOf([{ name: 'inner.zip', content: inner }]))
    expect(end).toMatchObject({ files: { 'inner.zip': inner.toString() } })
    const twice = gzipSync(gzipSync('x'))
    expect(await extract('gz', twice)).toMatchObject({ files: { 'in-0': gzipSync('x').toString() } })
  })
})

// `secret` in s.txt, AES-256, password `open sesame`; written by libarchive.
const encryptedZip =
  'UEsDBBQACQBjAIUxcV0AAAAAAAAAAAAAAAAFACsAcy50eHR1eAsAAQQAAAAABAAAAAABmQcAAgBBRQMIAFVUDQAHOvD7ajrw+2o68PtqJn6A7qCUx8VqTqDp6SB57bPOJHkd9zClpgCtMTHf1skC+pHULVBLBwgAAAAAJQAAAAcAAABQSwECFAMUAAkAYwCFMXFdAAAAACUAAAAHAAAABQAjAAAAAAAAAAAApIEAAAAAcy50eHR1eAsAAQQAAAAABAAAAAABmQcAAgBBRQMIAFVUBQABOvD7alBLBQYAAAAAAQABAFYAAACDAAAAAAA='

describe('archive', () => {
  const sources = [
    { format: 'txt', content: Buffer.from('first'), name: 'a.txt' },
    { format: 'bin', content: Buffer.from('second'), name: 'b ü.exe', folder: 'deep/er' },
    { format: 'txt', content: Buffer.alloc(0), name: 'A.txt' },
  ]
  const packed = { 'a.txt': 'first', 'deep/er/b ü.exe': 'second', 'A-2.txt': '' }

  async function archive(to: string, options: Record<string, unknown> = {}): Promise<Buffer> {
    const end = await bench.run({ operation: 'archive', sources, to, options })
    if (isFailure(end)) throw new Error(`${end.code}: ${end.text} ${end.detail}`)
    return end.files[0]?.bytes ?? Buffer.alloc(0)
  }

  it.each(['zip', '7z', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst'])(
    'packs files into %s under their names, each once',
    async (to) => {
      expect(await extract(to, await archive(to))).toEqual({ files: packed, warnings: [] })
    },
  )

  it('leaves the folders out, if asked to', async () => {
    const made = await extract('zip', await archive('zip', { folders: false }))
    expect(made).toMatchObject({ files: { 'b ü.exe': 'second' } })
  })

  it('encrypts a zip with a password', async () => {
    const zip = await archive('zip', { password: 'pass word' })
    expect(await extract('zip', zip)).toMatch(/^input_encrypted/)
    expect(await extract('zip', zip, { password: 'pass word' })).toEqual({ files: packed, warnings: [] })
  })

  it('compresses as much as asked', async () => {
    const text = { format: 'txt', content: Buffer.from('word by word '.repeat(20_000)), name: 'a.txt' }
    const sizes = []
    for (const level of [1, 9]) {
      const end = await bench.run({ operation: 'archive', sources: [text], to: 'tar.gz', options: { level } })
      sizes.push(isFailure(end) ? 0 : (end.files[0]?.bytes.length ?? 0))
    }
    expect(sizes[0]).toBeGreaterThan(sizes[1] ?? 0)
  })
})
