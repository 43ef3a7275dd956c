import { setTimeout as pause } from 'node:timers/promises'
import { createMetrics, silentLog } from '@lathe/runtime'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, it } from 'vitest'
import { type ConsumeOptions, consume, createDispatch, type Entry, gatesOf, type Work } from './index.ts'
import { type PrivateRedis, startRedis } from './testing/private-redis.ts'

const limit = { timeout: 15_000, interval: 10 }
const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part[Symbol.asyncDispose]()
})

function keep<T extends AsyncDisposable>(part: T): T {
  open.push(part)
  return part
}

const prefix = 'test'
const [ada, bob] = ['a'.repeat(24), 'b'.repeat(24)]
let tasks = 0
const newWork = (ownerId: string): Work => {
  const entry: Entry = { task: (tasks++).toString(16).padStart(24, '0'), attempt: 1, step: 0 }
  return { pool: 'process', entry, delayMs: 0, ownerId }
}

async function setUp() {
  const server: PrivateRedis = keep(await startRedis())
  const config = { url: server.url, prefix }
  const metrics = createMetrics()
  const dispatch = keep(createDispatch(config, { log: silentLog, metrics }))
  const client = new Redis(server.url)
  keep({ [Symbol.asyncDispose]: async () => client.disconnect() })

  /** A connected consumer that records the entries it gets. */
  async function startConsumer(options: Partial<ConsumeOptions> = {}) {
    const listeners = async () => (await client.pubsub('CHANNELS', `${prefix}:v2:offers:*`)).length
    const before = await listeners()
    const seen: string[] = []
    const run = options.run ?? (async () => {})
    const consumer = consume(config, {
      gates: gatesOf({ process: 4 }),
      offers: { metrics },
      log: silentLog,
      ...options,
      run: async (entry, slot) => {
        seen.push(entry.task)
        await run(entry, slot)
      },
    })
    keep(consumer)
    await expect.poll(listeners, limit).toBe(before + 1)
    return { ...consumer, consumer, seen, noteWarm: (owner: string) => noted(consumer, owner) }
  }

  async function noted(consumer: { noteWarm(warm: { ownerId: string }): void }, owner: string): Promise<void> {
    const key = `${prefix}:v2:warm:${owner}:any`
    await client.del(key)
    await expect
      .poll(async () => {
        consumer.noteWarm({ ownerId: owner })
        return client.exists(key)
      }, limit)
      .toBe(1)
  }

  /** Sends work and returns how long it took until a consumer had it. */
  async function send(work: Work, seen: readonly string[][]): Promise<number> {
    const startedAt = performance.now()
    await dispatch.enqueue([work])
    await expect.poll(() => seen.some((one) => one.includes(work.entry.task)), { ...limit, interval: 5 }).toBe(true)
    return performance.now() - startedAt
  }

  // A fast connection rejects commands until it is open: the first hint that succeeds shows when that is.
  const failures = async () => (await metrics.dispatchFailures.get()).values.reduce((sum, { value }) => sum + value, 0)
  await expect
    .poll(async () => {
      const before = await failures()
      await dispatch.reported([], [ada])
      return (await failures()) - before
    }, limit)
    .toBe(0)
  return { server, config, metrics, dispatch, client, startConsumer, send }
}

describe('an owner with a warm engine', () => {
  it('is served by that worker, and nothing remains that others could claim', async () => {
    const { client, startConsumer, send } = await setUp()
    const [one, other] = [await startConsumer(), await startConsumer()]
    await one.noteWarm(ada)
    await other.noteWarm(bob)
    for (let i = 0; i < 20; i += 1) {
      await send(newWork(ada), [one.seen])
      await send(newWork(bob), [other.seen])
    }
    expect([one.seen.length, other.seen.length]).toEqual([20, 20])
    await expect.poll(() => client.zcard(`${prefix}:v2-any-quick:delayed`), limit).toBe(0)
    await expect.poll(async () => (await client.keys(`${prefix}:v2-any-quick:t*`)).length, limit).toBe(0)
  })

  it('does not wait for a busy worker', async () => {
    const { startConsumer, send, metrics } = await setUp()
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    const busy = await startConsumer({ gates: gatesOf({ process: 1 }), run: () => gate })
    await busy.noteWarm(ada)
    await send(newWork(ada), [busy.seen])
    const other = await startConsumer()
    const tookMs = await send(newWork(ada), [other.seen, busy.seen])
    expect(tookMs).toBeLessThan(1000)
    const outcomes = (await metrics.offers.get()).values.map(({ labels, value }) => [labels.outcome, value])
    expect(outcomes).toEqual([
      ['taken', 1],
      ['refused', 1],
    ])
    openGate()
  })

  it('does not wait for a stopped worker', async () => {
    const { startConsumer, send, client } = await setUp()
    const gone = await startConsumer()
    await gone.noteWarm(ada)
    await gone.consumer[Symbol.asyncDispose]()
    const other = await startConsumer()
    expect(await client.exists(`${prefix}:v2:warm:${ada}:any`)).toBe(1)
    expect(await send(newWork(ada), [other.seen])).toBeLessThan(1000)
  })

  it('waits only briefly for a worker that listens and does not answer', async () => {
    const { startConsumer, send, client, server } = await setUp()
    const other = await startConsumer()
    const frozen = new Redis(server.url)
    keep({ [Symbol.asyncDispose]: async () => frozen.disconnect() })
    await frozen.subscribe(`${prefix}:offers:frozen`)
    await client.set(`${prefix}:v2:warm:${ada}:any`, 'frozen')
    // BullMQ waits for delayed entries in whole seconds.
    expect(await send(newWork(ada), [other.seen])).toBeLessThan(3000)
  })

  it('loses nothing when Redis is flushed', async () => {
    const { startConsumer, send, client } = await setUp()
    const [one, other] = [await startConsumer(), await startConsumer()]
    await one.noteWarm(ada)
    await send(newWork(ada), [one.seen])
    await client.flushall()
    await send(newWork(ada), [one.seen, other.seen])
    await other.noteWarm(ada)
    // The owner's station is cached for a second.
    await pause(1_100)
    await send(newWork(ada), [other.seen])
    expect(one.seen.length + other.seen.length).toBe(3)
  })

  it('leaves a task that has to wait for its next try where it is', async () => {
    const { startConsumer, dispatch } = await setUp()
    const { seen, noteWarm } = await startConsumer()
    await noteWarm(ada)
    const sentAt = performance.now()
    await dispatch.enqueue([{ ...newWork(ada), delayMs: 600 }])
    await expect.poll(() => seen.length, limit).toBe(1)
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(590)
  })
})

describe('offered and queued tasks', () => {
  it('never exceed the slots together, and use all of them', async () => {
    const { startConsumer, dispatch } = await setUp()
    let inHand = 0
    let most = 0
    const one = await startConsumer({
      gates: gatesOf({ process: 4 }),
      run: async () => {
        most = Math.max(most, ++inHand)
        await new Promise((resolve) => setTimeout(resolve, 3))
        inHand -= 1
      },
    })
    await one.noteWarm(ada)
    for (let i = 0; i < 100; i += 1) {
      const batch = [newWork(ada), newWork(bob), newWork(ada)]
      await dispatch.enqueue(batch)
      one.consumer.noteWarm({ ownerId: ada })
    }
    await expect.poll(() => new Set(one.seen).size, limit).toBe(300)
    expect(most).toBe(4)
  })

  it('get the slots back when an offered task ends next to a long one', async () => {
    const { startConsumer, dispatch } = await setUp()
    const gates = new Map<string, () => void>()
    const one = await startConsumer({
      gates: gatesOf({ process: 2 }),
      run: ({ task }) => new Promise<void>((resolve) => gates.set(task, resolve)),
    })
    await one.noteWarm(ada)
    const [offered, long, next] = [newWork(ada), newWork(bob), newWork(bob)]
    await dispatch.enqueue([offered])
    await expect.poll(() => one.seen.length, limit).toBe(1)
    await dispatch.enqueue([long])
    await dispatch.enqueue([next])
    await expect.poll(() => one.seen.length, limit).toBe(2)
    gates.get(offered.entry.task)?.()
    await expect.poll(() => one.seen, limit).toEqual([offered, long, next].map(({ entry }) => entry.task))
    for (const end of gates.values()) end()
  })
})
