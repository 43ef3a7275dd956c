import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox, until } from '../test/open-sandbox.ts'
import { createWarmPool, type JsonObject, type StepLimits, type WarmPool } from './index.ts'

const MiB = 1024 * 1024
const limits: StepLimits = { timeMs: 10_000, memoryBytes: 256 * MiB, outputBytes: 16 * MiB }
const script = join(import.meta.dirname, '../test/runner.mjs')
const never = new AbortController().signal

let open: TestSandbox
let pool: WarmPool

beforeAll(async () => {
  open = await openSandbox(64_102)
})
afterAll(() => open[Symbol.asyncDispose]())
beforeEach(async () => {
  pool = await createWarmPool(open.sandbox, { runner: 'vips', script, size: 3, spares: 1, maxCalls: 5 })
})
afterEach(async () => {
  await pool[Symbol.asyncDispose]()
  expect(await open.processes()).toEqual([])
  expect(await open.files()).toEqual([])
})

interface Call {
  readonly limits?: Partial<StepLimits>
  readonly signal?: AbortSignal
  readonly files?: Readonly<Record<string, string>>
  onProgress?(share: number): void
}

async function call(owner: string, request: JsonObject, more: Call = {}) {
  await using folder = await open.sandbox.createJobFolder()
  for (const [name, content] of Object.entries(more.files ?? {})) await writeFile(join(folder.path, name), content)
  const end = await pool.call(owner, request, {
    folder,
    limits: { ...limits, ...more.limits },
    signal: more.signal ?? never,
    ...(more.onProgress ? { onProgress: more.onProgress } : {}),
  })
  return { end, files: (await readdir(folder.path)).sort() }
}

async function callIn(other: WarmPool, request: JsonObject) {
  await using folder = await open.sandbox.createJobFolder()
  return await other.call('a', request, { folder, limits, signal: never })
}

async function instanceOf(owner: string): Promise<unknown> {
  const { end } = await call(owner, { deed: 'where' })
  return end.kind === 'done' ? end.result.instance : end
}

describe('a call', () => {
  it('sees the files of its folder, and its outputs are there afterwards', async () => {
    const shares: number[] = []
    const onProgress = (share: number) => shares.push(share)
    const request = { deed: 'copy', from: 'in-0', to: 'out-0' }
    const { end, files } = await call('a', request, { files: { 'in-0': 'x' }, onProgress })
    expect(end).toEqual({ kind: 'done', result: { warnings: [] } })
    expect(files).toEqual(['in-0', 'out-0'])
    expect(shares).toEqual([0.5])
  })

  it('sees nothing of the calls before it', async () => {
    await call('a', { deed: 'copy', from: 'in-0', to: 'out-0' }, { files: { 'in-0': 'x' } })
    const { end } = await call('a', { deed: 'list' }, { files: { 'in-1': 'y' } })
    expect(end).toEqual({ kind: 'done', result: { files: ['in-1'] } })
  })

  it('gets the error that the runner reports', async () => {
    const { end } = await call('a', { deed: 'fail', code: 'input_damaged' })
    expect(end).toEqual({ kind: 'failure', code: 'input_damaged', text: 'It is so.', detail: 'inner' })
  })
})

describe('an instance', () => {
  it('serves its owner again, and never another one', async () => {
    const first = await instanceOf('a')
    expect(await instanceOf('a')).toBe(first)
    const others = [await instanceOf('b'), await instanceOf('c'), await instanceOf('d'), await instanceOf('e')]
    expect(new Set([first, ...others]).size).toBe(5)
  })

  it('is replaced after its last call, and after a failure', async () => {
    const first = await instanceOf('a')
    await call('a', { deed: 'fail', code: 'unsupported' })
    const second = await instanceOf('a')
    expect(second).not.toBe(first)
    const five = [second, ...(await repeat(4, () => instanceOf('a')))]
    expect(new Set(five).size).toBe(1)
    expect(await instanceOf('a')).not.toBe(second)
  })

  it('is never one of more than the pool may hold', async () => {
    let most = 0
    const watch = setInterval(() => {
      const total = Object.values(pool.states()).reduce((sum, n) => sum + n, 0)
      most = Math.max(most, total)
    }, 1)
    const calls = await Promise.all(['a', 'b', 'c', 'd', 'a', 'e', 'f', 'b'].map((owner) => instanceOf(owner)))
    clearInterval(watch)
    expect(calls.every((instance) => typeof instance === 'string')).toBe(true)
    expect(most).toBeLessThanOrEqual(3)
  })

  it('is started in advance for the next owner once one was used', async () => {
    await instanceOf('a')
    await until(() => pool.states().spare === 1)
  })
})

describe('a misbehaving runner', () => {
  it.each(['crash', 'exit', 'garbage', 'huge', 'wrongId'])('by %s is ended, and the next call served', async (deed) => {
    const { end } = await call('a', { deed })
    expect(end).toMatchObject({ kind: 'failure', code: 'engine_crashed' })
    expect(await instanceOf('a')).toBeTypeOf('string')
  })

  it('by answering twice is ended', async () => {
    await call('a', { deed: 'twice' })
    await until(async () => pool.states().idle === 0)
    expect(await instanceOf('a')).toBeTypeOf('string')
  })

  it.each(['hang', 'spin', 'orphan'])('by %s is gone with all it started soon after its deadline', async (deed) => {
    const startedAt = performance.now()
    const { end } = await call('a', { deed }, { limits: { timeMs: 300 } })
    expect(end).toMatchObject({ kind: 'failure', code: 'engine_timeout' })
    expect(performance.now() - startedAt).toBeLessThan(2300)
  })

  it('by hanging without CPU time or output is ended before its deadline', async () => {
    const { end } = await call('a', { deed: 'hang' }, { limits: { silenceMs: 300 } })
    expect(end).toMatchObject({ kind: 'failure', code: 'engine_timeout', detail: 'silence' })
  })

  it('by using all memory, or all disk, exceeds a limit', async () => {
    const memory = await call('a', { deed: 'memory' }, { limits: { memoryBytes: 128 * MiB } })
    expect(memory.end).toMatchObject({ code: 'limit_exceeded' })
    const disk = await call('a', { deed: 'disk' })
    expect(disk.end).toMatchObject({ code: 'limit_exceeded' })
  })

  it('cannot put a link in the place of a job folder', async () => {
    const { end } = await call('a', { deed: 'swap' })
    if (process.getuid?.() === 0) expect(end).toEqual({ kind: 'done', result: { swapped: 'EACCES' } })
    else expect(end).toMatchObject({ code: 'engine_crashed' })
  })
})

describe('a runner that exits before it starts work', () => {
  it('does not fail the call: another one serves it, with its files', async () => {
    const first = await instanceOf('a')
    const { end, files } = await call('a', { deed: 'stale' }, { files: { 'in-0': 'x' } })
    expect(end).toMatchObject({ kind: 'done', result: { instance: expect.any(String) } })
    expect(end).not.toMatchObject({ result: { instance: first } })
    expect(files).toEqual(['in-0'])
  })

  it('every time fails the call', async () => {
    const { end } = await call('a', { deed: 'unserved' })
    expect(end).toMatchObject({ kind: 'failure', code: 'engine_crashed' })
    expect(await instanceOf('a')).toBeTypeOf('string')
  })

  it('is not retried once it has reported progress', async () => {
    const shares: number[] = []
    const { end } = await call('a', { deed: 'begunAfterAll' }, { onProgress: (share) => shares.push(share) })
    expect(end).toMatchObject({ kind: 'failure', code: 'engine_crashed' })
    expect(shares).toEqual([0.5])
  })
})

describe('a cancel', () => {
  it('ends the instance of a running call within 2 s [D-state-21]', async () => {
    const cancel = new AbortController()
    const running = call('a', { deed: 'orphan' }, { signal: cancel.signal })
    await until(() => pool.states().busy === 1)
    const canceledAt = performance.now()
    cancel.abort(new Error('canceled'))
    await expect(running).rejects.toThrow('canceled')
    expect(performance.now() - canceledAt).toBeLessThan(2000)
  })

  it('takes a waiting call out of the queue and leaves the others in it', async () => {
    const stop = new AbortController()
    const busy = ['a', 'b', 'c'].map((owner) => call(owner, { deed: 'hang' }, { signal: stop.signal }))
    await until(() => pool.states().busy === 3)
    const cancel = new AbortController()
    const first = call('d', { deed: 'where' }, { signal: cancel.signal })
    const second = instanceOf('e')
    cancel.abort(new Error('canceled'))
    await expect(first).rejects.toThrow('canceled')
    stop.abort(new Error('enough'))
    expect((await Promise.allSettled(busy)).every(({ status }) => status === 'rejected')).toBe(true)
    expect(await second).toBeTypeOf('string')
  })
})

describe('a pool', () => {
  it('replaces an instance that has grown, before anybody uses it again', async () => {
    const options = { runner: 'vips', script, size: 2, spares: 1, maxCalls: 100, keepBytes: 128 * MiB } as const
    await using small = await createWarmPool(open.sandbox, options)
    const grow = (bytes: number) => callIn(small, { deed: 'grow', bytes })
    const first = await grow(MiB)
    expect(await grow(MiB)).toEqual(first)
    expect(await grow(160 * MiB)).toEqual(first)
    const second = await grow(MiB)
    expect(second.kind).toBe('done')
    expect(second).not.toEqual(first)
  })

  it('shares what its runner prepared once with every instance, read-only', async () => {
    const options = { runner: 'vips', script, prepare: true, size: 2, spares: 1, maxCalls: 1 } as const
    await using prepared = await createWarmPool(open.sandbox, options)
    for (const _ of [1, 2]) {
      const end = await callIn(prepared, { deed: 'prepared' })
      expect(end).toEqual({ kind: 'done', result: { note: 'made before', changed: 'EROFS' } })
    }
  })

  it('runs Python as well as Node', async () => {
    const options = { script: join(import.meta.dirname, '../test/runner.py'), size: 1, spares: 1, maxCalls: 10 }
    await using python = await createWarmPool(open.sandbox, { runner: 'office', ...options })
    const first = await callIn(python, {})
    expect(first).toMatchObject({ result: { language: 'python' } })
    expect(await callIn(python, {})).toEqual(first)
  })

  it('does not open over a runner that cannot prepare, and leaves nothing', async () => {
    const failing = { runner: 'vips', script: join(import.meta.dirname, 'evil-engine.mjs'), prepare: true } as const
    const opening = createWarmPool(open.sandbox, { ...failing, size: 1, spares: 1, maxCalls: 1 })
    await expect(opening).rejects.toMatchObject({ name: 'SandboxUnavailable' })
  })

  it('does not open over a runner that does not start', async () => {
    const broken = {
      runner: 'vips',
      script: join(import.meta.dirname, 'evil-engine.mjs'),
      size: 1,
      spares: 1,
      maxCalls: 1,
    } as const
    await expect(createWarmPool(open.sandbox, broken)).rejects.toMatchObject({ name: 'SandboxUnavailable' })
  })
})

async function repeat<T>(times: number, work: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  for (let n = 0; n < times; n += 1) results.push(await work())
  return results
}
