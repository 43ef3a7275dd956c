import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase } from '@lathe/database'
import { createMetrics, silentLog } from '@lathe/runtime'
import { createTestDatabase, startTcpProxy, waitFor } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { whileLeader } from './leadership.ts'
import { keepDuties } from './scheduler.ts'

describe('leadership', () => {
  it('is held by one scheduler at a time, and moves to another when the leader loses its connection', async () => {
    await using test = await createTestDatabase()
    const leading = new Set<string>()
    const stop = new AbortController()
    const stand = (name: string) => {
      const database = createDatabase({ url: test.url, connections: 2 })
      const running = whileLeader(database, stop.signal, silentLog, async ({ signal }) => {
        leading.add(name)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        leading.delete(name)
      })
      return { database, running }
    }
    const [a, b] = [stand('a'), stand('b')]
    try {
      const first = await waitFor(() => [...leading][0], { withinMs: 10_000 })
      expect(leading.size).toBe(1)
      await a.database.pool.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and database =
           (select oid from pg_database where datname = current_database())`,
      )
      await waitFor(() => !leading.has(first), { withinMs: 10_000, everyMs: 1 })
      await waitFor(() => leading.size > 0, { withinMs: 10_000 })
      expect(leading.size).toBe(1)
    } finally {
      stop.abort()
      await Promise.all([a.running, b.running])
      await a.database[Symbol.asyncDispose]()
      await b.database[Symbol.asyncDispose]()
    }
    expect(leading.size).toBe(0)
  })

  it('R3: moves within 10 s when the leader loses its network silently, and the old leader does nothing more', async () => {
    await using own = new AsyncDisposableStack()
    const { url } = own.use(await createTestDatabase())
    const proxy = own.use(await startTcpProxy(url))
    const stop = new AbortController()
    const done: string[] = []
    const stand = (name: string, databaseUrl: string) => {
      const database = own.use(createDatabase({ url: databaseUrl, connections: 2 }))
      const duty = { name: 'write', everyMs: 20, run: async () => done.push(name) }
      const running = whileLeader(database, stop.signal, silentLog, (leadership) =>
        keepDuties([duty], leadership, { log: silentLog, metrics: createMetrics() }),
      )
      own.defer(async () => {
        stop.abort()
        await running
      })
    }
    stand('old', proxy.through(url))
    await waitFor(() => done.includes('old'), { withinMs: 10_000 })
    stand('new', url)
    proxy.swallow()
    const lostAt = performance.now()
    await waitFor(() => done.includes('new'), { withinMs: 10_000, what: 'a new leader' })
    console.log(`another leads after ${Math.round(performance.now() - lostAt)} ms`)
    proxy.pass()
    done.length = 0
    await pause(6_000)
    expect(new Set(done)).toEqual(new Set(['new']))
    proxy.cut()
  })
})
