import { gzipSync } from 'node:zlib'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { tarOf } from '../../../../fixtures/attacks/archives.ts'
import { extractScript } from '../../../../packages/engines/src/archive/extract-script.ts'
import { libarchiveScript } from '../../../../packages/engines/src/archive/libarchive-script.ts'
import { extractLimits as limits } from '../../../../packages/engines/src/archive/limits.ts'
import { isWithin, steps } from './steps.ts'

const MiB = 1024 ** 2

const bench = usePlanBench()

/** Why the script refuses an archive; undefined if it does not. Alone, because nobody has to read 2 GiB of results then. */
async function refusalOf(archive: Buffer, format = 'tar'): Promise<string | undefined> {
  const ask = { file: 'in', format, only: [], folders: true, strict: false, limits }
  const files = { in: archive, 'extract.py': extractScript, 'libarchive.py': libarchiveScript }
  const { end } = await bench.tool('python3', ['extract.py'], {
    files: { ...files, 'extract.json': JSON.stringify(ask) },
  })
  if (end.kind !== 'exited') throw new Error(JSON.stringify(end))
  if (end.code === 0) return undefined
  return /refused: (\w+)/.exec(end.stderr)?.[1] ?? end.stderr
}

const many = (count: number) => Array.from({ length: count }, (_, n) => n)
const links = (count: number) => many(count).map((n) => ({ name: `link-${n}`, type: '1', target: 'a' }))

describe('entries of an archive to extract, 10,000', () => {
  it.each(steps)('%s [L-extract-entries]', async (_, step) => {
    const folders = many(10_000 + step).map((n) => ({ name: `${n}/`, type: '5' }))
    expect(await refusalOf(tarOf(folders))).toBe(isWithin(step) ? undefined : 'entries')
  })
})

describe('files extracted from one archive, 2,000', () => {
  it.each(steps)('%s [L-extract-files]', async (_, step) => {
    const files = many(2000 + step).map((n) => ({ name: `${n}` }))
    expect(await refusalOf(tarOf(files))).toBe(isWithin(step) ? undefined : 'files')
  })
})

describe('names of files extracted from one archive, 900,000 bytes', () => {
  it.each(steps)('%s [L-extract-names]', async (_, step) => {
    // A line of the report: each of 1,800 takes 500 bytes, but for the last.
    const around = (n: number) => `{"file": "item-${n}.bin", "name": ""}\n`.length
    const members = many(1800).flatMap((n) => {
      const name = `${n}-`.padEnd(500 - around(n) + (n === 1799 ? step : 0), 'n')
      // Names of more than 100 bytes have an entry of their own.
      return [{ name: '././@LongLink', type: 'L', content: `${name}\0` }, { name: name.slice(0, 99) }]
    })
    expect(await refusalOf(tarOf(members))).toBe(isWithin(step) ? undefined : 'names')
  })
})

describe('bytes extracted from one archive, 2 GiB', () => {
  it.each(steps)('%s [L-extract-bytes]', async (_, step) => {
    const [a, b] = ['a'.repeat(32 * MiB), 'b'.repeat(32 * MiB + step)]
    const tar = tarOf([{ name: 'a', content: a }, ...links(62), { name: 'b', content: b }])
    expect(await refusalOf(tar)).toBe(isWithin(step) ? undefined : 'bytes')
  })
})

describe('bytes extracted for each byte of an archive, 200', () => {
  it.each(steps)('%s [L-extract-ratio]', async (_, step) => {
    const content = 'a'.repeat(512 * 1024)
    const linked = content.length * 261
    const rest = 200 - (linked % 200) + step
    const tar = tarOf([{ name: 'a', content }, ...links(260), { name: 'b', content: 'b'.repeat(rest) }])
    // What follows the end of a tar belongs to its size only.
    const packed = (linked + rest - step) / 200
    const archive = Buffer.concat([tar, Buffer.alloc(packed - tar.length)])
    expect(await refusalOf(archive)).toBe(isWithin(step) ? undefined : 'bomb')
  })
})

describe('bytes extracted before the ratio counts, 64 MiB', () => {
  it.each(steps)('%s [L-extract-ratio-from]', async (_, step) => {
    const archive = gzipSync(Buffer.alloc(64 * MiB + step, 'x'))
    expect(await refusalOf(archive, 'gz')).toBe(isWithin(step) ? undefined : 'bomb')
  })
})
