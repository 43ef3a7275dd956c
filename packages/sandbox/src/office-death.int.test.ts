import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isFailure } from '@lathe/domain'
import { type CallStep, planTask } from '@lathe/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { officeProcesses } from '../test/office-processes.ts'
import { openSandbox, type TestSandbox, until } from '../test/open-sandbox.ts'
import { openRunner, type WarmPool } from './index.ts'

let open: TestSandbox
let pool: WarmPool
beforeAll(async () => {
  open = await openSandbox(64_109, { processes: 256, tmpBytes: 1024 ** 3 })
  pool = await openRunner(open.sandbox, 'office', { engineTasks: 1, warmCalls: 1000 })
}, 60_000)
afterAll(async () => {
  await pool[Symbol.asyncDispose]()
  expect(await open.files()).toEqual([])
  await open[Symbol.asyncDispose]()
})

/** Converts a table with LibreOffice. Returns the code of its failure, or that it succeeded. */
async function convert(content: string, owner = 'a'): Promise<string> {
  const source = { file: 'in-0.csv', format: 'csv', size: content.length, filename: 'a.csv' }
  const plan = planTask({ operation: 'convert', sources: [source], to: 'xlsx', options: {} })
  if (isFailure(plan)) throw new Error(plan.code)
  const { request, limits } = plan.steps[0] as CallStep
  await using folder = await open.sandbox.createJobFolder()
  await writeFile(join(folder.path, source.file), content)
  const end = await pool.call(owner, request, { folder, limits, signal: new AbortController().signal })
  return isFailure(end) ? end.code : end.kind
}

const small = 'a,b\n1,2\n'
// This takes seconds to load.
const large = 'one,two,three,4,5,6,7,8\n'.repeat(200_000)

/** Waits until no instance is starting or ending. */
async function untilSettled(): Promise<void> {
  await until(() => pool.states().starting + pool.states().ending === 0, 30_000)
}

/** Kills all instances that can serve. */
async function killAll(signal: NodeJS.Signals): Promise<void> {
  await untilSettled()
  const pids = (await officeProcesses()).map(({ pid }) => pid)
  for (const pid of pids) process.kill(pid, signal)
  if (signal !== 'SIGSEGV') return
  // LibreOffice handles this signal itself, and may accept a call until it exits.
  await until(async () => !(await officeProcesses()).some(({ pid }) => pids.includes(pid)), 30_000)
}

/** Waits until one LibreOffice has used some tenths of a second of CPU time more than any had before. */
async function untilOneWorks(): Promise<number> {
  const before = new Map((await officeProcesses()).map(({ pid, ticks }) => [pid, ticks]))
  let found: number | undefined
  await until(async () => {
    const works = (await officeProcesses()).find(({ pid, ticks }) => ticks > (before.get(pid) ?? ticks) + 30)
    found = works?.pid
    return found !== undefined
  }, 30_000)
  return found ?? 0
}

describe('a LibreOffice that dies', () => {
  it.each(['SIGKILL', 'SIGSEGV', 'SIGABRT'] as const)(
    'while it loads a document is a crash of that task alone: %s',
    async (signal) => {
      // One that is still starting uses CPU time too, and would be mistaken for the one that loads.
      await untilSettled()
      const victim = convert(large)
      process.kill(await untilOneWorks(), signal)
      const next = convert(small)
      const other = convert(small, 'b')
      expect(await victim).toBe('engine_crashed')
      expect(await Promise.all([next, other])).toEqual(['done', 'done'])
    },
    90_000,
  )

  it.each(['SIGKILL', 'SIGSEGV'] as const)(
    'while it is idle is replaced before the next call: %s',
    async (signal) => {
      for (const pauseMs of [0, 5, 20, 100]) {
        expect(await convert(small)).toBe('done')
        await killAll(signal)
        await delay(pauseMs)
        expect(`${pauseMs} ms: ${await convert(small)}`).toBe(`${pauseMs} ms: done`)
      }
    },
    120_000,
  )

  it('right after its response does not fail the next call', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect(await convert(small)).toBe('done')
      await untilSettled()
      const before = await officeProcesses()
      expect(await convert(small)).toBe('done')
      for (const { pid } of before) process.kill(pid, 'SIGKILL')
      expect(await convert(small)).toBe('done')
    }
  }, 120_000)

  it('while it starts is replaced without failing the call that waits for it', async () => {
    expect(await convert(small)).toBe('done')
    await killAll('SIGKILL')
    const next = convert(small, 'c')
    await until(async () => pool.states().starting > 0 && (await officeProcesses()).length > 0, 30_000)
    for (const { pid } of await officeProcesses()) process.kill(pid, 'SIGKILL')
    expect(await next).toBe('done')
  }, 90_000)

  it('or hangs is replaced without failing the call', async () => {
    expect(await convert(small)).toBe('done')
    await killAll('SIGSTOP')
    expect(await convert(small)).toBe('done')
  }, 90_000)
})
