import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { CallEnd, CallOptions, Instance } from './instance.ts'
import { createPool } from './warm-pool.ts'

const options = { signal: new AbortController().signal } as CallOptions

/** A pool of instances that answer at once, or when the test lets them. */
function open(more: Partial<Parameters<typeof createPool>[1]> = {}, leave: () => Promise<void> = async () => {}) {
  const started: { end: () => void }[] = []
  const calls: (() => void)[] = []
  const start = async (): Promise<Instance> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    started.push({ end: resolve })
    const call: Instance['call'] = async () => {
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      calls.push(answer)
      await answered
      return { kind: 'done', result: {} }
    }
    return { call, memoryInUse: async () => 0, kill: resolve, ended: promise, gone: promise.then(leave) }
  }
  const pool = createPool(start, { size: 3, spares: 2, spareMs: 60_000, maxCalls: 1, ...more })
  return { pool, started, calls }
}

const settled = () => delay(5)

describe('a pool of instances that are used once', () => {
  it('starts nothing before the first call, and spares once a call has ended', async () => {
    const { pool, started, calls } = open()
    await pool.started
    await settled()
    expect(started).toHaveLength(0)
    const first = pool.call('a', {}, options)
    await settled()
    expect(pool.states()).toMatchObject({ busy: 1, spare: 0, starting: 0 })
    calls[0]?.()
    await first
    await settled()
    expect(pool.states()).toEqual({ starting: 0, spare: 2, idle: 0, busy: 0, ending: 0 })
    expect(started).toHaveLength(3)
    await pool[Symbol.asyncDispose]()
  })

  it('gives a spare to the next call, and uses none twice', async () => {
    const { pool, started, calls } = open({ spares: 1 })
    for (const [n, owner] of ['a', 'b', 'a'].entries()) {
      const call = pool.call(owner, {}, options)
      await settled()
      // While it works, no other one is started.
      expect(started).toHaveLength(n + 1)
      calls[n]?.()
      await call
      await settled()
    }
    expect(started).toHaveLength(4)
    await pool[Symbol.asyncDispose]()
  })

  it('continues if the folder of an ended one cannot be removed', async () => {
    const { pool, calls } = open({ spares: 0 }, () => Promise.reject(new Error('ENOTEMPTY')))
    for (const n of [0, 1]) {
      const call = pool.call('a', {}, options)
      await settled()
      calls[n]?.()
      expect(await call).toMatchObject({ kind: 'done' })
      await settled()
    }
    expect(pool.states()).toEqual({ starting: 0, spare: 0, idle: 0, busy: 0, ending: 0 })
    await pool[Symbol.asyncDispose]()
  })

  it('ends its spares when unused for a while, and serves again after that', async () => {
    const { pool, calls } = open({ spareMs: 300 })
    for (const n of [0, 1]) {
      const call = pool.call('a', {}, options)
      await settled()
      calls[n]?.()
      await call
      await vi.waitFor(() => expect(pool.states().spare).toBe(2), { interval: 5 })
      const nothing = { starting: 0, spare: 0, idle: 0, busy: 0, ending: 0 }
      await vi.waitFor(() => expect(pool.states()).toEqual(nothing), { timeout: 5000 })
    }
    await pool[Symbol.asyncDispose]()
  })
})

it('R6: takes no permit while it waits for an instance', async () => {
  const answers: ((end: CallEnd) => void)[] = []
  const instance: Instance = {
    call: () => new Promise((resolve) => answers.push(resolve)),
    memoryInUse: async () => 0,
    kill: () => gone.resolve(),
    get ended() {
      return gone.promise
    },
    get gone() {
      return gone.promise
    },
  }
  const gone = Promise.withResolvers<void>()
  await using pool = createPool(async () => instance, { size: 1, spares: 1, maxCalls: 10 })
  await pool.started
  let turns = 0
  const takePermit = async () => {
    turns += 1
    return {
      [Symbol.dispose]() {
        turns -= 1
      },
    }
  }
  const callIt = () => pool.call('owner', {}, { ...options, takePermit })
  const [first, second] = [callIt(), callIt()]
  await settled()
  expect([answers.length, turns]).toEqual([1, 1])
  answers[0]?.({ kind: 'done', result: {} })
  await first
  await settled()
  expect([answers.length, turns]).toEqual([2, 1])
  answers[1]?.({ kind: 'done', result: {} })
  await second
  expect(turns).toBe(0)
})

describe('an instance that does not start', () => {
  /** A pool whose first instances fail while they start. */
  function failing(times: number) {
    const gone = Promise.withResolvers<void>()
    let count = 0
    const start = async (): Promise<Instance> => {
      count += 1
      if (count <= times) throw new Error('killed')
      const call: Instance['call'] = async () => ({ kind: 'done', result: {} })
      return { call, memoryInUse: async () => 0, kill: gone.resolve, ended: gone.promise, gone: gone.promise }
    }
    return { pool: createPool(start, { size: 1, spares: 1, maxCalls: 10, spareMs: 60_000 }), starts: () => count }
  }

  it('is replaced by another without failing the call that waits for it', async () => {
    const { pool, starts } = failing(2)
    expect(await pool.call('a', {}, options)).toMatchObject({ kind: 'done' })
    expect(starts()).toBe(3)
    await pool[Symbol.asyncDispose]()
  })

  it('fails the call when it is the third in a row', async () => {
    const { pool, starts } = failing(3)
    expect(await pool.call('a', {}, options)).toMatchObject({ code: 'internal' })
    expect(starts()).toBe(3)
    await pool[Symbol.asyncDispose]()
  })
})

it('reports whether a call got an instance of its owner, a prestarted one, or had to wait', async () => {
  const served: string[] = []
  const onServe = (servedBy: string) => served.push(servedBy)
  const { pool, calls } = open({ size: 2, spares: 1, maxCalls: 10, onServe })
  for (const [n, owner] of ['a', 'a', 'b'].entries()) {
    const call = pool.call(owner, {}, options)
    await settled()
    calls[n]?.()
    await call
    await settled()
  }
  expect(served).toEqual(['wait', 'warm', 'spare'])
  await pool[Symbol.asyncDispose]()
})
