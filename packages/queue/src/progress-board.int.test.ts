import { randomBytes } from 'node:crypto'
import { createMetrics, silentLog } from '@lathe/runtime'
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { connectFast, createProgressBoard } from './index.ts'
import { startRedis } from './testing/private-redis.ts'

const limit = { timeout: 15_000, interval: 50 }
const [a, b] = ['a'.repeat(24), 'b'.repeat(24)]
const task = { id: a, jobId: null, ownerId: 'c'.repeat(24) }
const heardOf = { task: a, job: null, owner: task.ownerId }

async function setUp() {
  const stack = new AsyncDisposableStack()
  const server = stack.use(await startRedis())
  const prefix = `test-${randomBytes(4).toString('hex')}`
  const metrics = createMetrics()
  const redis = stack.adopt(connectFast(server.url, silentLog), (one) => one.disconnect())
  const board = createProgressBoard({ redis, prefix, log: silentLog, metrics })
  await expect.poll(() => redis.status, limit).toBe('ready')
  const failures = async () => (await metrics.dispatchFailures.get()).values[0]?.value ?? 0
  return { server, prefix, board, failures, redis, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

it('returns the progress of tasks to readers and listeners, and expires it after a while', async () => {
  await using set = await setUp()
  const { server, prefix, board, redis } = set
  const listener = new Redis(server.url)
  const heard: unknown[] = []
  listener.on('message', (_, message) => void heard.push(JSON.parse(message)))
  await listener.subscribe(`${prefix}:progress`)
  await board.tell(task, { percent: 10, secondsLeft: null })
  await board.tell(task, { percent: 20, secondsLeft: 8 })
  expect(await board.read([b, a])).toEqual(new Map([[a, { percent: 20, secondsLeft: 8 }]]))
  await expect
    .poll(() => heard, limit)
    .toEqual([
      { ...heardOf, percent: 10, secondsLeft: null },
      { ...heardOf, percent: 20, secondsLeft: 8 },
    ])
  const ttl = await redis.ttl(`${prefix}:progress:${a}`)
  expect(ttl).toBeGreaterThan(0)
  expect(ttl).toBeLessThanOrEqual(60)
  listener.disconnect()
})

it('returns nothing and does not throw while Redis is down [D-shape-17]', async () => {
  await using set = await setUp()
  const { server, board, failures } = set
  await board.tell(task, { percent: 20, secondsLeft: 8 })
  await server.stop()
  const start = performance.now()
  await board.tell(task, { percent: 30, secondsLeft: 7 })
  expect(await board.read([a])).toEqual(new Map())
  expect(performance.now() - start).toBeLessThan(3000)
  expect(await failures()).toBe(2)
})
