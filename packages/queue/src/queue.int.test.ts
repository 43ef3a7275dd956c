import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createMetrics, silentLog } from '@lathe/runtime'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, it } from 'vitest'
import {
  consume,
  createDispatch,
  createGate,
  type Dispatch,
  type Entry,
  formerQueueOf,
  gatesOf,
  listenSignals,
  queueOf,
} from './index.ts'
import { openQueue } from './open-queue.ts'
import { type PrivateRedis, startRedis } from './testing/private-redis.ts'

const limit = { timeout: 15_000, interval: 50 }
const open: AsyncDisposable[] = []

afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part[Symbol.asyncDispose]()
})

function keep<T extends AsyncDisposable>(part: T): T {
  open.push(part)
  return part
}

async function setUp() {
  const redis: PrivateRedis = keep(await startRedis())
  const config = { url: redis.url, prefix: `test-${randomBytes(4).toString('hex')}` }
  const metrics = createMetrics()
  const dispatch = keep(createDispatch(config, { log: silentLog, metrics }))
  const failures = async () => (await metrics.dispatchFailures.get()).values.reduce((sum, { value }) => sum + value, 0)
  return { redis, config, dispatch, failures }
}

function startConsumer(config: { url: string; prefix: string }, run: (entry: Entry) => Promise<void>, concurrency = 4) {
  return keep(
    consume(config, {
      gates: gatesOf({ process: concurrency, transfer: concurrency }),
      run,
      log: silentLog,
    }),
  )
}

const entry = (n: number, attempt = 1): Entry => ({ task: n.toString(16).padStart(24, '0'), attempt, step: 0 })
const work = (item: Entry, delayMs = 0) => ({ pool: 'process', entry: item, delayMs, ownerId: 'f'.repeat(24) }) as const

// A fast connection rejects commands until it is open: the first hint that succeeds shows when that is.
async function untilConnected(dispatch: Dispatch, failures: () => Promise<number>) {
  await expect
    .poll(async () => {
      const before = await failures()
      await dispatch.reported([], ['f'.repeat(24)])
      return (await failures()) - before
    }, limit)
    .toBe(0)
}

describe('the queues', () => {
  it('deliver each entry once, however often it is added while it waits', async () => {
    const { config, dispatch, failures } = await setUp()
    await untilConnected(dispatch, failures)
    const entries = Array.from({ length: 50 }, (_, n) => entry(n))
    for (let round = 0; round < 3; round++) await dispatch.enqueue(entries.map((item) => work(item)))
    const seen: string[] = []
    startConsumer(config, async ({ task }) => void seen.push(task))
    await expect.poll(() => seen.length, limit).toBe(50)
    expect(new Set(seen).size).toBe(50)
  })

  it('keep nothing of a processed entry, so that it can be added again', async () => {
    const { config, dispatch, redis } = await setUp()
    let runs = 0
    startConsumer(config, async () => void runs++)
    for (const round of [1, 2]) {
      await expect
        .poll(async () => {
          await dispatch.enqueue([work(entry(1))])
          return runs
        }, limit)
        .toBeGreaterThanOrEqual(round)
    }
    const client = new Redis(redis.url)
    await expect.poll(async () => (await client.keys(`${config.prefix}:v2-any-quick:t*`)).length, limit).toBe(0)
    client.disconnect()
  })

  it('never try an entry again by themselves, even if working on it throws', async () => {
    const { config, dispatch, failures } = await setUp()
    await untilConnected(dispatch, failures)
    let runs = 0
    const done: number[] = []
    startConsumer(
      config,
      async ({ task }) => {
        if (task.endsWith('1')) runs++
        else done.push(runs)
        throw new Error('broken')
      },
      1,
    )
    await dispatch.enqueue([work(entry(1)), work(entry(2))])
    await expect.poll(() => done, limit).toEqual([1])
  })

  it('R8: keep 5,000 entries while PostgreSQL refuses connections for 10 s, and work on all of them soon afterwards', async () => {
    const { config, dispatch, failures, redis } = await setUp()
    await untilConnected(dispatch, failures)
    const client = new Redis(redis.url)
    const countQueued = () => client.zcard(`${config.prefix}:v2-any-quick:prioritized`)
    const all = Array.from({ length: 5_000 }, (_, n) => entry(n))
    await dispatch.enqueue(all.map((item) => work(item)))
    expect(await countQueued()).toBe(all.length)
    const done = new Set<string>()
    let tries = 0
    let isDown = true
    const atOnce = 4
    await using _consumer = consume(config, {
      gates: gatesOf({ process: atOnce }),
      log: silentLog,
      isTemporary: (error) => error instanceof Error && error.message === 'refused',
      run: async ({ task }) => {
        tries += 1
        if (isDown) throw new Error('refused')
        done.add(task)
      },
    })
    await pause(10_000)
    expect(await countQueued()).toBeGreaterThanOrEqual(all.length - atOnce - 1)
    expect(tries).toBeLessThan(200)
    isDown = false
    const backAt = performance.now()
    await expect.poll(() => done.size, { timeout: 60_000, interval: 50 }).toBe(all.length)
    console.log(`worked on ${Math.round((all.length / (performance.now() - backAt)) * 1000)} entries a second`)
    expect(tries).toBeLessThan(all.length + 200)
    client.disconnect()
  })

  it('release entries that wait for PostgreSQL when the consumer closes', async () => {
    const { config, dispatch, failures } = await setUp()
    await untilConnected(dispatch, failures)
    let tries = 0
    const consumer = consume(config, {
      gates: gatesOf({ process: 2 }),
      log: silentLog,
      isTemporary: () => true,
      run: async () => {
        tries += 1
        throw new Error('refused')
      },
    })
    await dispatch.enqueue([work(entry(1)), work(entry(2))])
    await expect.poll(() => tries, limit).toBeGreaterThan(4)
    await consumer[Symbol.asyncDispose]()
    expect(consumer.running).toBe(0)
  })

  it('F: serve an owner with few tasks before one with many', async () => {
    const { config, dispatch, failures } = await setUp()
    await untilConnected(dispatch, failures)
    const many = Array.from({ length: 20 }, (_, n) => work({ ...entry(n), rank: n + 1 }))
    await dispatch.enqueue(many)
    const newcomer = entry(99)
    await dispatch.enqueue([work(newcomer)])
    const seen: string[] = []
    startConsumer(config, async ({ task }) => void seen.push(task), 1)
    await expect.poll(() => seen.length, limit).toBe(21)
    expect(seen.slice(0, 2)).toEqual([entry(0).task, newcomer.task])
  })

  it('hold a delayed entry back', async () => {
    const { config, dispatch, failures } = await setUp()
    await untilConnected(dispatch, failures)
    const seen: string[] = []
    startConsumer(config, async ({ task }) => void seen.push(task), 1)
    await dispatch.enqueue([work(entry(1), 1200), work(entry(2))])
    await expect.poll(() => seen.length, limit).toBe(2)
    expect(seen[0]).toBe(entry(2).task)
  })

  it('continue after FLUSHALL while workers wait', async () => {
    const { config, dispatch, failures, redis } = await setUp()
    await untilConnected(dispatch, failures)
    const seen = new Set<string>()
    startConsumer(config, async ({ task }) => void seen.add(task))
    await dispatch.enqueue([work(entry(1))])
    await expect.poll(() => seen.size, limit).toBe(1)
    const client = new Redis(redis.url)
    await client.flushall()
    client.disconnect()
    await dispatch.enqueue([work(entry(2))])
    await expect.poll(() => seen.size, limit).toBe(2)
  })

  it('wait for running entries when a consumer closes, and deliver no more', async () => {
    const { config, dispatch, failures } = await setUp()
    await untilConnected(dispatch, failures)
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    const started: string[] = []
    let ended = 0
    const consumer = consume(config, {
      gates: gatesOf({ process: 1 }),
      log: silentLog,
      run: async ({ task }) => {
        started.push(task)
        await gate
        ended++
      },
    })
    await dispatch.enqueue([work(entry(1)), work(entry(2))])
    await expect.poll(() => started.length, limit).toBe(1)
    const closing = consumer[Symbol.asyncDispose]()
    openGate()
    await closing
    expect({ started: started.length, ended }).toEqual({ started: 1, ended: 1 })
  })
})

describe('without Redis', () => {
  it('a hint neither throws nor hangs, is counted, and gets through once Redis is back', async () => {
    const { config, dispatch, failures, redis } = await setUp()
    await untilConnected(dispatch, failures)
    const seen: string[] = []
    startConsumer(config, async ({ task }) => void seen.push(task))
    await redis.stop()
    const before = await failures()
    const start = performance.now()
    await dispatch.enqueue([work(entry(1))])
    await dispatch.cancel([entry(1).task])
    expect(performance.now() - start).toBeLessThan(4000)
    expect((await failures()) - before).toBe(2)

    await redis.start()
    await expect
      .poll(async () => {
        await dispatch.enqueue([work(entry(3))])
        return seen.includes(entry(3).task)
      }, limit)
      .toBe(true)
  })

  it('R12: a frozen Redis delays only the first hints, and accepts them again within seconds when it resumes', async () => {
    const { config, dispatch, failures, redis } = await setUp()
    await untilConnected(dispatch, failures)
    const seen: string[] = []
    startConsumer(config, async ({ task }) => void seen.push(task))
    redis.freeze()
    const took: number[] = []
    for (let n = 0; n < 100; n += 1) {
      const start = performance.now()
      await Promise.all([
        dispatch.enqueue([work(entry(n))]),
        dispatch.cancel([entry(n).task]),
        dispatch.reported([], [entry(n).task]),
      ])
      took.push(performance.now() - start)
      await pause(20)
    }
    // The first hints wait until the silence of Redis is noticed, about a second, and later ones fail at once. If it were
    // not noticed, each would wait.
    expect(took.filter((ms) => ms > 400).length).toBeLessThanOrEqual(10)
    expect(Math.max(...took)).toBeLessThan(10_000)
    redis.thaw()
    await expect
      .poll(async () => {
        await dispatch.enqueue([work(entry(1_000))])
        return seen.includes(entry(1_000).task)
      }, limit)
      .toBe(true)
  })

  it('dispatch, consumer and listener can be created and closed', async () => {
    const config = { url: 'redis://127.0.0.1:1', prefix: 'nowhere' }
    const start = performance.now()
    {
      await using dispatch = createDispatch(config, { log: silentLog, metrics: createMetrics() })
      await using _consumer = consume(config, {
        gates: gatesOf({ process: 1 }),
        run: async () => {},
        log: silentLog,
      })
      await using _listener = listenSignals(config, { onEnded: () => undefined }, { log: silentLog })
      await dispatch.enqueue([work(entry(1))])
    }
    expect(performance.now() - start).toBeLessThan(15_000)
  })
})

describe('signals', () => {
  it('reach every listener of their subject, and again after Redis was down', async () => {
    const { config, dispatch, failures, redis } = await setUp()
    const canceled: string[] = []
    const ended: string[] = []
    const both = { onCancel: (id: string) => void canceled.push(id), onEnded: (id: string) => void ended.push(id) }
    await keep(listenSignals(config, both, { log: silentLog })).ready
    await untilConnected(dispatch, failures)
    await dispatch.cancel(['a'.repeat(24), 'b'.repeat(24)])
    await expect.poll(() => canceled, limit).toEqual(['a'.repeat(24), 'b'.repeat(24)])
    await redis.stop()
    await redis.start()
    await expect
      .poll(async () => {
        await dispatch.reported([], ['c'.repeat(24)])
        return ended.includes('c'.repeat(24))
      }, limit)
      .toBe(true)
    expect(canceled).toHaveLength(2)
  })

  it('carry hints about events and progress, and say when Redis is back', async () => {
    const { config, dispatch, failures, redis } = await setUp()
    const heard: unknown[] = []
    let backs = 0
    const handlers = {
      onEvents: (hints: readonly unknown[]) => void heard.push(...hints),
      onProgress: (progress: unknown) => void heard.push(progress),
      onBack: () => {
        backs += 1
      },
    }
    await keep(listenSignals(config, handlers, { log: silentLog })).ready
    await untilConnected(dispatch, failures)
    const hints = [1, 2].map((seq) => ({ subjectId: 'a'.repeat(24), ownerId: 'b'.repeat(24), seq }))
    await dispatch.reported(hints)
    await expect.poll(() => heard, limit).toEqual(hints)
    expect(backs).toBe(1)
    await redis.stop()
    await redis.start()
    await expect.poll(() => backs, limit).toBe(2)
  })
})

describe('queues of families', () => {
  it('give entries to consumers that serve the family, and those of the release before to all', async () => {
    const { config, dispatch, failures } = await setUp()
    await untilConnected(dispatch, failures)
    const seen = { image: [] as string[], office: [] as string[] }
    for (const family of ['image', 'office'] as const) {
      const gate = createGate(4)
      const gates = new Map([queueOf('process', 'quick', family), queueOf('process')].map((name) => [name, gate]))
      const formerly = family === 'office' ? [[formerQueueOf('process'), gate] as const] : []
      keep(
        consume(config, {
          gates: new Map([...gates, ...formerly]),
          run: async ({ task }) => void seen[family].push(task),
          log: silentLog,
        }),
      )
    }
    const of = (family: 'image' | 'office', n: number) => work({ ...entry(n), family })
    await dispatch.enqueue([of('image', 1), of('office', 2), of('image', 3), of('office', 4)])
    const former = openQueue(formerQueueOf('process'), new Redis(config.url), config)
    await former.add('task', entry(5))
    await expect.poll(() => [seen.image.length, seen.office.length], limit).toEqual([2, 3])
    expect(seen.image.sort()).toEqual([entry(1).task, entry(3).task])
    await former.disconnect()
  })
})
