import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanWarnings, type Failure, isFailure, maxDetailBytes } from '@lathe/domain'
import { amount, hostileOutputs } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../test/open-sandbox.ts'
import { createWarmPool, type JobFolder, type StepLimits } from './index.ts'
import { failureOf } from './run.ts'

const MiB = 1024 * 1024
// An engine that would run forever gets a moment. One that ends by itself gets all the time a busy machine may need.
const limits = (isEndless: boolean): StepLimits => {
  return { timeMs: isEndless ? 300 : 20_000, memoryBytes: 256 * MiB, outputBytes: 16 * MiB }
}
// The guarantee: a task ends within its limit plus 5 s.
const mostMs = (isEndless: boolean) => limits(isEndless).timeMs + 5_000
const count = amount({ whole: 150, sample: 45 })
const never = new AbortController().signal
const isClean = (text: string) => text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text)

let open: TestSandbox
beforeAll(async () => {
  open = await openSandbox(64_117)
})
afterAll(() => open[Symbol.asyncDispose]())

/** A folder with one output for standard output and one for standard error. */
async function fill(folder: JobFolder, bytes: Buffer, stderr: Buffer): Promise<void> {
  await writeFile(join(folder.path, 'in-0'), bytes, { mode: 0o644 })
  await writeFile(join(folder.path, 'in-1'), stderr, { mode: 0o644 })
}

function expectClean({ text = '', detail = '' }: Failure, name: string): void {
  expect(isClean(text) && isClean(detail), name).toBe(true)
  expect(Buffer.byteLength(detail), name).toBeLessThanOrEqual(maxDetailBytes)
}

const ways = ['exit 0', 'exit 3', 'while :; do cat in-0; done', 'while :; do cat in-1 >&2; done', 'sleep 60'] as const

describe('S1: a sandboxed process with arbitrary output', () => {
  it(`ends within its limit and 5 s, ${count} times, and leaves sanitized text`, async () => {
    const all = [...hostileOutputs(2 * count, 21)]
    for (let n = 0; n < count; n++) {
      const [out, err] = [all[2 * n], all[2 * n + 1]]
      if (!out || !err) continue
      await using folder = await open.sandbox.createJobFolder()
      await fill(folder, out.bytes, err.bytes)
      const way = ways[n % ways.length] ?? ''
      const isEndless = !way.startsWith('exit')
      const script = `cat in-1 >&2; cat in-0; ${way}`
      const startedAt = performance.now()
      const lines: string[] = []
      const onLine = (line: string) => void (lines.length < 10 && lines.push(line))
      const step = { program: 'bash', args: ['-c', script], limits: limits(isEndless) }
      const end = await open.sandbox.run(step, { folder, signal: never, onLine })
      expect(performance.now() - startedAt, out.name).toBeLessThan(mostMs(isEndless))
      expect(isClean(end.stderr), err.name).toBe(true)
      const cause = failureOf(end)
      expect(cause === undefined).toBe(n % ways.length === 0)
      if (cause) expectClean(cause, err.name)
    }
  }, 300_000)

  it(`as a runner ends within its limit and 5 s, ${count} times, and leaves sanitized text`, async () => {
    const script = join(import.meta.dirname, '../test/runner.mjs')
    await using pool = await createWarmPool(open.sandbox, { runner: 'vips', script, size: 2, spares: 1, maxCalls: 5 })
    const all = [...hostileOutputs(2 * count, 22)]
    const kinds = { done: 0, failure: 0 }
    for (let n = 0; n < count; n++) {
      const [out, err] = [all[2 * n], all[2 * n + 1]]
      if (!out || !err) continue
      await using folder = await open.sandbox.createJobFolder()
      await fill(folder, out.bytes, err.bytes)
      const startedAt = performance.now()
      const stays = n % 3 === 0
      const end = await pool.call('a', { deed: 'parrot', stays }, { folder, limits: limits(stays), signal: never })
      expect(performance.now() - startedAt, out.name).toBeLessThan(mostMs(stays))
      kinds[end.kind] += 1
      if (isFailure(end)) expectClean(end, out.name)
      else for (const warning of cleanWarnings(end.result.warnings)) expect(isClean(warning), out.name).toBe(true)
    }
    expect(Math.min(kinds.done, kinds.failure)).toBeGreaterThan(0)
  }, 300_000)
})
