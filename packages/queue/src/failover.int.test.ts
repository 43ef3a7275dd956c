import { createLog, createMetrics } from '@lathe/runtime'
import { startTcpProxy, waitFor } from '@lathe/testing'
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { connectFast, consume, createDispatch, gatesOf, listenSignals, refuseCluster } from './index.ts'
import { startRedis } from './testing/private-redis.ts'

const portOf = (url: string) => Number(new URL(url).port)
const owner = 'f'.repeat(24)

it('after a failover, everything moves to the new primary within 10 s, and the log says why once', async () => {
  await using own = new AsyncDisposableStack()
  const [first, second] = [own.use(await startRedis()), own.use(await startRedis())]
  const direct = [first, second].map(({ url }) => own.adopt(new Redis(url), (one) => one.disconnect()))
  const [one, other] = direct as [Redis, Redis]
  await other.replicaof('127.0.0.1', portOf(first.url))
  await waitFor(async () => (await other.info('replication')).includes('master_link_status:up'), { withinMs: 10_000 })
  // The address of the service, such as one of ElastiCache or of a proxy: open connections stay where they are.
  const address = own.use(await startTcpProxy(first.url))
  const config = { url: address.through(first.url), prefix: 'failover' }

  const lines: string[] = []
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics()
  const ran = new Set<string>()
  const ended = new Set<string>()
  const dispatch = own.use(createDispatch(config, { log, metrics }))
  const run = async ({ task }: { task: string }) => void ran.add(task)
  own.use(consume(config, { gates: gatesOf({ process: 2, transfer: 2 }), offers: { metrics }, run, log }))
  own.use(listenSignals(config, { onEnded: (id) => void ended.add(id) }, { log }))
  const redis = own.adopt(connectFast(config.url, log), (connection) => connection.disconnect())

  /** Each hint is given again until it arrives, as the scheduler does. */
  async function everythingWorks(round: number): Promise<void> {
    const tasks = [1, 2, 3].map((n) => `${round}${n}`.padStart(24, '0'))
    const work = tasks.map(
      (task) => ({ pool: 'process', entry: { task, attempt: 1, step: 0 }, delayMs: 0, ownerId: owner }) as const,
    )
    await waitFor(
      async () => {
        await dispatch.enqueue(work.filter(({ entry }) => !ran.has(entry.task)))
        await dispatch.reported([], tasks)
        return tasks.every((task) => ran.has(task) && ended.has(task))
      },
      { withinMs: 10_000, everyMs: 200, what: `tasks of round ${round}` },
    )
    await waitFor(
      () =>
        redis.set('failover:written', round).then(
          () => true,
          () => false,
        ),
      { withinMs: 10_000 },
    )
  }

  await everythingWorks(1)
  await other.replicaof('no', 'one')
  await one.replicaof('127.0.0.1', portOf(second.url))
  address.retarget(portOf(second.url))
  await everythingWorks(2)

  expect(await other.get('failover:written')).toBe('2')
  const refusals = lines.filter((line) => line.includes('redis refuses commands'))
  expect(refusals.length).toBeGreaterThan(0)
  // The dispatcher says it once, and each of the queues.
  expect(refusals.filter((line) => line.includes('"hint"')).length).toBeLessThanOrEqual(1)
})

it('a Redis in cluster mode is refused, one that is away is not', async () => {
  await using plain = await startRedis()
  await refuseCluster(plain.url)
  await plain.stop()
  await refuseCluster(plain.url)
  await using cluster = await startRedis('--cluster-enabled', 'yes')
  await expect(refuseCluster(cluster.url)).rejects.toThrow('REDIS_URL is a Redis in cluster mode')
})
