import { setTimeout as pause } from 'node:timers/promises'
import {
  createDatabase,
  fenceOf,
  findLeader,
  renewLead,
  sqlState,
  type Term,
  takeLead,
  termEnded,
} from '@lathe/database'
import { createMetrics, silentLog } from '@lathe/runtime'
import { createTestDatabase, startTcpProxy, waitFor } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { type Leadership, whileLeader } from './leadership.ts'
import { keepDuties } from './scheduler.ts'

async function taken(term: Promise<Term | undefined>): Promise<Term> {
  return (await term) ?? expect.fail('nobody leads')
}

describe('leadership', () => {
  it('is held by one scheduler at a time, and passes to another when the leader stops', async () => {
    await using own = new AsyncDisposableStack()
    const { url } = own.use(await createTestDatabase())
    const leading = new Map<string, Leadership>()
    const stops = new Map<string, () => Promise<void>>()
    const most: number[] = []
    for (const name of ['a', 'b']) {
      const database = own.use(createDatabase({ url, connections: 2 }))
      const stop = new AbortController()
      const running = whileLeader(database, stop.signal, silentLog, async (leadership) => {
        leading.set(name, leadership)
        most.push(leading.size)
        await new Promise((resolve) => leadership.signal.addEventListener('abort', resolve, { once: true }))
        leading.delete(name)
      })
      stops.set(name, async () => {
        stop.abort()
        await running
      })
    }
    own.defer(async () => void (await Promise.all([...stops.values()].map((stop) => stop()))))
    const first = await waitFor(() => [...leading.keys()][0], { withinMs: 10_000 })
    await stops.get(first)?.()
    const second = await waitFor(() => [...leading.keys()][0], { withinMs: 10_000 })
    expect(second).not.toBe(first)
    expect(most).toEqual([1, 1])
  })

  it('a leader whose term has ended changes nothing, whichever way it asks', async () => {
    await using own = new AsyncDisposableStack()
    const { url } = own.use(await createTestDatabase())
    const database = own.use(createDatabase({ url, connections: 4 }))
    await database.pool.query('create table notes (n integer)')
    const first = await taken(takeLead(database, undefined, 'a'))
    const old = database.fencedBy(fenceOf(first))
    const add = 'insert into notes values (1)'
    await old.pool.query(add)
    await taken(takeLead(database, await findLeader(database.pool), 'b'))

    const tries = [
      old.pool.query(add),
      old.transaction((tx) => tx.query(add)),
      old.atOnce((tx) => tx.query(add)),
      old.withConnection((connection) => connection.query(add)),
      old.outsideTransactions((connection) => connection.query(add), { timeoutMs: 5_000 }),
      old.fencedBy('select 1').pool.query(add),
    ]
    const ends = await Promise.allSettled(tries)
    expect(ends.map((end) => end.status === 'rejected' && sqlState(end.reason))).toEqual(tries.map(() => termEnded))
    expect(await renewLead(database.pool, first)).toBe(false)
    const { rows } = await database.pool.query('select n from notes')
    expect(rows).toEqual([{ n: 1 }])
  })

  it('a new term begins only when the transactions of the term before have ended', async () => {
    await using own = new AsyncDisposableStack()
    const { url } = own.use(await createTestDatabase())
    const database = own.use(createDatabase({ url, connections: 4 }))
    const first = await taken(takeLead(database, undefined, 'a'))
    const order: string[] = []
    let next: Promise<Term> | undefined
    await database.fencedBy(fenceOf(first)).transaction(async () => {
      const seen = await findLeader(database.pool)
      next = taken(takeLead(database, seen, 'b'))
      void next.then(() => order.push('next term'))
      const isWaiting = async () => {
        const { rowCount } = await database.pool.query(`select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`)
        return rowCount === 1
      }
      await waitFor(isWaiting, { withinMs: 5_000, what: 'the next leader to wait' })
      order.push('transaction ends')
    })
    expect((await next)?.epoch).toBe(first.epoch + 1)
    expect(order).toEqual(['transaction ends', 'next term'])
  })

  it('of two that saw the same silence, one leads', async () => {
    await using own = new AsyncDisposableStack()
    const { url } = own.use(await createTestDatabase())
    const database = own.use(createDatabase({ url, connections: 4 }))
    for (let round = 0; round < 5; round += 1) {
      const seen = await findLeader(database.pool)
      const terms = await Promise.all(['a', 'b', 'c'].map((name) => takeLead(database, seen, `${name}${round}`)))
      expect(terms.filter(Boolean)).toHaveLength(1)
    }
  })

  it('a scheduler of a release without terms keeps leading until it ends', async () => {
    await using own = new AsyncDisposableStack()
    const { url } = own.use(await createTestDatabase())
    const database = own.use(createDatabase({ url, connections: 4 }))
    await database.withConnection(async (earlier) => {
      await earlier.query('select pg_try_advisory_lock(7264302)')
      expect(await takeLead(database, undefined, 'a')).toBeUndefined()
      await earlier.query('select pg_advisory_unlock(7264302)')
      await taken(takeLead(database, undefined, 'a'))
    })
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
