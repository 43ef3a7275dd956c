import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { groupLimits, parquetLimits } from '../../../../packages/engines/src/data/parquet/limits.ts'
import { plainParquet, sampleParquet } from '../../../../packages/engines/src/testing/sample-parquet.ts'
import { isWithin, steps } from './steps.ts'

const folderOf = (file: string) =>
  new URL(`../../../../packages/engines/src/data/parquet/${file}`, import.meta.url).href

type Work = (ask: object, progress: () => void) => unknown

/** Has a script of the runner do what it is asked, outside of the sandbox: these tests are about numbers alone. */
async function endOf(script: string, work: string, content: string | Buffer, ask: object): Promise<string> {
  const found: Readonly<Record<string, Work>> = await import(folderOf(script))
  const folder = await mkdtemp(join(tmpdir(), 'lathe-parquet-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
  const [input, output] = [join(folder, 'in-0'), join(folder, 'out-0')]
  await writeFile(input, content)
  try {
    await found[work]?.({ input, output, ...ask }, () => {})
    return 'done'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

const end = (step: number) => (isWithin(step) ? 'done' : 'limit_exceeded')
const read = (content: Buffer, limits: Partial<Record<keyof typeof parquetLimits, number>>) =>
  endOf('read.mjs', 'readTable', content, { to: 'jsonl', indent: 0, limits: { ...parquetLimits, ...limits } })

// With smaller numbers in the place of the largest ones: it is the same code that counts.
describe('bytes of a Parquet file, 512 MiB', () => {
  it.each(steps)('%s [L-parquet-bytes]', async (_, step) => {
    expect(parquetLimits.bytes).toBe(512 * 1024 ** 2)
    const content = plainParquet(4)
    expect(await read(content, { bytes: content.length - step })).toBe(end(step))
  })
})

describe('columns of a Parquet file, 10,000', () => {
  it.each(steps)('%s [L-parquet-columns]', async (_, step) => {
    expect(parquetLimits.columns).toBe(10_000)
    // Ten columns, a list with one inside, and a struct with two.
    expect(await read(sampleParquet(), { columns: 13 - step })).toBe(end(step))
  })
})

describe('levels of a Parquet file, 60', () => {
  it.each(steps)('%s [L-parquet-depth]', async (_, step) => {
    expect(parquetLimits.depth).toBe(60)
    // The column, the list, and what it holds.
    expect(await read(sampleParquet(), { depth: 2 - step })).toBe(end(step))
  })
})

describe('values of a Parquet file, 100,000,000', () => {
  it.each(steps)('%s [L-parquet-values]', async (_, step) => {
    expect(parquetLimits.values).toBe(100_000_000)
    // As many rows as cells.
    expect(await read(plainParquet(20), { values: 40 - step })).toBe(end(step))
  })
})

describe('bytes of the footer of a Parquet file, 32 MiB', () => {
  it.each(steps)('%s [L-parquet-footer]', async (_, step) => {
    expect(parquetLimits.footerBytes).toBe(32 * 1024 ** 2)
    const content = plainParquet(4)
    expect(await read(content, { footerBytes: content.readUInt32LE(content.length - 8) - step })).toBe(end(step))
  })
})

describe('unpacked column of a Parquet file, 512 MiB', () => {
  it.each(steps)('%s [L-parquet-chunk]', async (_, step) => {
    expect(parquetLimits.pageBytes).toBe(512 * 1024 ** 2)
    // 64 numbers of 4 bytes, and their levels.
    expect(await read(plainParquet(64), { pageBytes: 259 - step })).toBe(end(step))
  })
})

describe('text of a Parquet file, 1,024 MiB', () => {
  it.each(steps)('%s [L-parquet-output]', async (_, step) => {
    expect(parquetLimits.outputBytes).toBe(1024 ** 3)
    expect(await read(plainParquet(2), { outputBytes: '{"a": 0}\n{"a": 1}\n'.length - step })).toBe(end(step))
  })
})

describe('columns of a table for Parquet, 10,000', () => {
  it.each(steps)('%s [L-parquet-written-columns]', async (_, step) => {
    expect(groupLimits.columns).toBe(10_000)
    const limits = { ...groupLimits, columns: 3 - step }
    const ask = { compression: 'snappy', limits }
    expect(await endOf('write.mjs', 'writeTable', '["a", "b", "c"]\n[1, 2, 3]\n', ask)).toBe(end(step))
  })
})
