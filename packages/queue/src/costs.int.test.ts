import { setTimeout as pause } from 'node:timers/promises'
import { createMetrics, silentLog } from '@lathe/runtime'
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { consume, createDispatch, gatesOf } from './index.ts'
import { startRedis } from './testing/private-redis.ts'

const ownerId = 'a'.repeat(24)
const conversions = 50
// Renewed notes, and what BullMQ sends while it waits; a slow machine waits longer.
const background = (elapsedMs: number) => 15 + 5 * Math.ceil(elapsedMs / 1000)

it('a conversion by a worker whose engine is warm costs 7 Redis commands', async () => {
  await using own = new AsyncDisposableStack()
  const server = own.use(await startRedis())
  const config = { url: server.url, prefix: 'test' }
  const metrics = createMetrics()
  const dispatch = own.use(createDispatch(config, { log: silentLog, metrics }))
  const ended = new Map<string, () => void>()
  const news = (task: string) => [{ subjectId: task, ownerId, seq: 1 }]
  const consumer = own.use(
    consume(config, {
      gates: gatesOf({ process: 4 }),
      offers: { metrics },
      log: silentLog,
      // What a worker reports about a task that it claims and completes.
      run: async ({ task }) => {
        void dispatch.reported(news(task))
        consumer.noteWarm({ ownerId })
        await dispatch.reported(news(task), [task])
        consumer.noteWarm({ ownerId })
        ended.get(task)?.()
      },
    }),
  )

  async function convert(n: number): Promise<void> {
    const task = n.toString(16).padStart(24, '0')
    const { promise, resolve } = Promise.withResolvers<void>()
    ended.set(task, resolve)
    void dispatch.reported(news(task))
    await dispatch.enqueue([{ pool: 'process', entry: { task, attempt: 1, step: 0 }, delayMs: 0, ownerId }])
    await promise
  }

  // Until all connections are open and the note is stored.
  await pause(500)
  for (let n = 0; n < 5; n += 1) await convert(n)
  const client = new Redis(server.url)
  own.defer(() => client.disconnect())
  const monitor = await client.monitor()
  own.defer(() => monitor.disconnect())
  const commands: string[] = []
  monitor.on('monitor', (_time: string, [name = '']: readonly string[], source: string) => {
    if (source !== 'lua') commands.push(name)
  })
  const startedAt = performance.now()
  for (let n = 100; n < 100 + conversions; n += 1) await convert(n)
  await pause(100)
  const most = conversions * 7 + background(performance.now() - startedAt)
  expect(commands.length).toBeGreaterThan(conversions * 4)
  expect(commands.length).toBeLessThanOrEqual(most)
})
