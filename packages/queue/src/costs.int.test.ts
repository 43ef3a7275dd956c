import { setTimeout as pause } from 'node:timers/promises'
import { createMetrics, silentLog } from '@lathe/runtime'
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { consume, createDispatch, gatesOf, type Pool } from './index.ts'
import { startRedis } from './testing/private-redis.ts'

const ownerId = 'a'.repeat(24)
const requests = 50
// Renewed notes, and what BullMQ sends for each queue while it waits; a slow machine waits longer.
const backgroundOf = (elapsedMs: number, queues: number) => 15 + 5 * queues * Math.ceil(elapsedMs / 1000)

/** The number of a request and of a task in it, and the id of that task. */
const idOf = (request: number, task: number) => (request * 16 + task).toString(16).padStart(24, '0')
const taskNumber = (id: string) => Number.parseInt(id.slice(-1), 16)
const requestNumber = (id: string) => Number.parseInt(id.slice(0, -1), 16)

/**
 * Sends to Redis what the services send for requests, one after another, each with tasks that run in a row: alone, or
 * as a job. Returns the number of commands, and how many of them may be due to the time that passed.
 */
async function countCommands(pools: readonly Pool[]): Promise<{ commands: number; background: number }> {
  await using own = new AsyncDisposableStack()
  const server = own.use(await startRedis())
  // Before any other connection: ioredis fails if a command is reported together with the answer to MONITOR.
  const client = new Redis(server.url)
  own.defer(() => client.disconnect())
  const monitor = await client.monitor()
  own.defer(() => monitor.disconnect())
  let commands = 0
  monitor.on('monitor', (_time: string, _command: readonly string[], source: string) => {
    if (source !== 'lua') commands += 1
  })
  const config = { url: server.url, prefix: 'test' }
  const metrics = createMetrics()
  const dispatch = own.use(createDispatch(config, { log: silentLog, metrics }))
  const ended = new Map<number, () => void>()
  const isJob = pools.length > 1
  // Events of a task in a job are events of its job.
  const news = (task: string) => [{ subjectId: isJob ? idOf(requestNumber(task), 15) : task, ownerId, seq: 1 }]
  const enqueue = async (task: string) => {
    const pool = pools[taskNumber(task)]
    if (pool) await dispatch.enqueue([{ pool, entry: { task, attempt: 1, step: 0 }, delayMs: 0, ownerId }])
  }
  const consumer = own.use(
    consume(config, {
      gates: gatesOf({ process: 4, transfer: 4 }),
      offers: { metrics },
      log: silentLog,
      // What a worker reports about a task that it claims and completes.
      run: async ({ task }) => {
        const [request, number] = [requestNumber(task), taskNumber(task)]
        const noteWarm = () => pools[number] === 'process' && consumer.noteWarm({ ownerId })
        const isLast = number === pools.length - 1
        void dispatch.reported(news(task))
        noteWarm()
        await Promise.all([
          enqueue(idOf(request, number + 1)),
          dispatch.reported(news(task), isJob && isLast ? [task, idOf(request, 15)] : [task]),
        ])
        noteWarm()
        if (isLast) ended.get(request)?.()
      },
    }),
  )

  async function send(request: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    ended.set(request, resolve)
    void dispatch.reported(news(idOf(request, 0)))
    await enqueue(idOf(request, 0))
    await promise
  }

  // Until all connections are open and the note is stored.
  await pause(500)
  for (let n = 1; n <= 5; n += 1) await send(n)
  await pause(100)
  commands = 0
  const startedAt = performance.now()
  for (let n = 100; n < 100 + requests; n += 1) await send(n)
  await pause(100)
  console.log(`${pools.join(', ')}: ${(commands / requests).toFixed(2)} commands per request`)
  return { commands, background: backgroundOf(performance.now() - startedAt, new Set(pools).size) }
}

// Each budget is the current cost: a change that makes something more expensive fails here.
describe('Redis commands', () => {
  it.each<[string, number, readonly Pool[]]>([
    ['a conversion by a worker whose engine is warm', 7, ['process']],
    ['a standalone import', 7, ['transfer']],
    ['a job of an import, a conversion and an export', 20, ['transfer', 'process', 'transfer']],
  ])('for %s are %i', async (_, budget, pools) => {
    const { commands, background } = await countCommands(pools)
    expect(commands).toBeGreaterThan(requests * (budget - 3))
    expect(commands).toBeLessThanOrEqual(requests * budget + background)
  })
})
