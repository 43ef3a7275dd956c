import { gzipSync } from 'node:zlib'
import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { hostileArchives, tarOf } from '../../../../fixtures/attacks/archives.ts'
import { overlapBomb, zipOf } from '../../../../fixtures/attacks/zip.ts'
import { extractLimits } from './limits.ts'

const bench = usePlanBench()

const run = (format: string, content: Buffer) =>
  bench.run({ operation: 'extract', sources: [{ format, content }], to: format })

async function namesIn(format: string, content: Buffer) {
  const end = await run(format, content)
  if (isFailure(end)) throw new Error(`${end.code} ${end.text} ${end.detail}`)
  return { names: end.files.map(({ name, folder = '' }) => [folder, name].join('|')), warnings: end.warnings }
}

describe('a name in an archive', () => {
  it.each([
    ['../../../../tmp/x.jpg', 'tmp|x.jpg'],
    ['/etc/passwd', 'etc|passwd'],
    ['C:\\x\\y.png', 'C:|x|y.png'],
    ['a\nb.jpg', '|ab.jpg'],
    ['-rf', '|-rf'],
    ['..', '|file-1'],
    ['@extract.json', '|@extract.json'],
    ['in-0.zip', '|in-0.zip'],
    ['item-0.bin', '|item-0.bin'],
    ['a\u202egpj.exe', '|agpj.exe'],
    ['CON.txt', '|_CON.txt'],
  ])('%j is never a path [C03]', async (name, shown) => {
    const { names } = await namesIn('zip', zipOf([{ name, content: 'x' }]))
    expect(names.map((one) => one.replace('C:/x|', 'C:|x|'))).toEqual([shown])
  })

  it('with any known attack on archive readers ends safely', async () => {
    const zips = hostileArchives({ file: '/etc/passwd', folder: '/tmp' }).filter(({ filename }) => filename === 'x.zip')
    for (const { content, what } of zips) {
      const end = await run('zip', content)
      if (isFailure(end)) expect(['input_damaged', 'no_files'], what).toContain(end.code)
      else for (const { bytes } of end.files) expect(bytes.toString(), what).not.toContain('root:')
    }
  })
})

describe('an entry that is not a regular file', () => {
  it('is left out: links, devices and pipes [C03]', async () => {
    const tar = tarOf([
      { name: 'link', type: '2', target: '/etc/passwd' },
      { name: 'link/below', content: 'through the link' },
      { name: 'hard', type: '1', target: '/etc/passwd' },
      { name: 'out', type: '1', target: 'extract.json' },
      { name: 'zero', type: '3' },
      { name: 'disk', type: '4' },
      { name: 'pipe', type: '6' },
      { name: 'setuid', content: 'x', mode: '0004755' },
    ])
    expect(await namesIn('tar', tar)).toEqual({
      names: ['link|below', '|setuid'],
      warnings: ['3 links were left out.', '3 devices or pipes were left out.'],
    })
  })

  it('is a file again where a hard link names one of the archive', async () => {
    const tar = tarOf([
      { name: 'a/one', content: 'same' },
      { name: 'two', type: '1', target: 'a/one' },
    ])
    expect(await namesIn('tar', tar)).toEqual({ names: ['a|one', '|two'], warnings: [] })
  })
})

const many = (count: number) =>
  zipOf(Array.from({ length: count }, (_, n) => ({ name: `${n}`, content: '', store: true })))

describe('an archive that is a bomb', () => {
  it('holds as many entries as the limit and no more [L-extract-entries, L-extract-files]', async () => {
    const { entries, files } = extractLimits
    const folders = (count: number) => tarOf(Array.from({ length: count }, (_, n) => ({ name: `${n}/`, type: '5' })))
    expect(await run('tar', folders(entries))).toMatchObject({ code: 'no_files' })
    expect(await run('tar', folders(entries + 1))).toMatchObject({ code: 'limit_exceeded' })
    expect((await namesIn('zip', many(files))).names).toHaveLength(files)
    expect(await run('zip', many(files + 1))).toMatchObject({ code: 'limit_exceeded' })
    expect(await run('zip', many(60_000))).toMatchObject({ code: 'limit_exceeded' })
  }, 120_000)

  it('has names no longer than the limit [L-extract-names]', async () => {
    const named = (count: number) =>
      zipOf(Array.from({ length: count }, (_, n) => ({ name: `${n}-${'n'.repeat(900)}`, content: '', store: true })))
    // Each line of the report is the name plus 40 bytes.
    expect((await namesIn('zip', named(940))).names).toHaveLength(940)
    expect(await run('zip', named(980))).toMatchObject({ code: 'limit_exceeded' })
  })

  it('unpacks to no more than the ratio, once it is large [L-extract-ratio, L-extract-ratio-from]', async () => {
    const { ratio, ratioAfterBytes } = extractLimits
    expect((await namesIn('gz', gzipSync(Buffer.alloc(ratioAfterBytes)))).names).toHaveLength(1)
    expect(await run('gz', gzipSync(Buffer.alloc(ratioAfterBytes + 1)))).toMatchObject({ code: 'limit_exceeded' })
    const noise = Buffer.alloc(Math.ceil((ratioAfterBytes + 1) / ratio), 1)
    const honest = zipOf([
      { name: 'zeros', content: Buffer.alloc(ratioAfterBytes + 1) },
      { name: 'noise', content: noise, store: true },
    ])
    expect((await namesIn('zip', honest)).names).toHaveLength(2)
    // 500 names for the same megabyte: libarchive extracts it once.
    const shared = await run(
      'zip',
      overlapBomb(500, 1024 ** 2, (n) => `${n}`),
    )
    const sizes = isFailure(shared) ? [] : shared.files.map(({ bytes }) => bytes.length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(ratioAfterBytes)
  }, 120_000)

  it('never gives more than the bytes of the limit, whatever it claims [L-extract-bytes]', async () => {
    const end = await run('zip', zipOf([{ name: 'x', content: 'x', claims: extractLimits.bytes * 2 - 2 }]))
    expect(isFailure(end) ? end.code : end.files.map(({ bytes }) => bytes.length)).toEqual(
      expect.not.arrayContaining([extractLimits.bytes]),
    )
    // Nothing is compressed, so that the ratio does not apply: 17 links to 127 MiB are more than 2 GiB.
    const large = 'x'.repeat(127 * 1024 ** 2)
    const links = (count: number) =>
      tarOf([
        { name: 'a', content: large },
        ...Array.from({ length: count }, (_, n) => ({ name: `${n}`, type: '1', target: 'a' })),
      ])
    expect(await run('tar', links(16))).toMatchObject({ code: 'limit_exceeded' })
  }, 120_000)
})
