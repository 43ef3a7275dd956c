import { setTimeout as pause } from 'node:timers/promises'
import { createTestDatabase, startTcpProxy, waitFor } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { createDatabase, type Database, sqlState } from './database.ts'
import { isAway } from './is-away.ts'

const connections = 4
const backMs = 15_000

async function setUp() {
  await using own = new AsyncDisposableStack()
  const { url } = own.use(await createTestDatabase())
  const proxy = own.use(await startTcpProxy(url))
  const database = own.use(createDatabase({ url: proxy.through(url), connections }))
  const all = own.move()
  return { proxy, database, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const ask = ({ pool }: Database) => pool.query('select 1 from pg_sleep($1)', [0.05])
const onEveryConnection = <T>(work: () => T): T[] => Array.from({ length: connections }, work)

/** Sends queries without a break until the signal aborts; records the last answer and the errors. */
function askOn(database: Database, signal: AbortSignal) {
  const errors: unknown[] = []
  let answeredAt = 0
  const done = (async () => {
    while (!signal.aborted) {
      await ask(database).then(
        () => {
          answeredAt = performance.now()
        },
        (error) => errors.push(error),
      )
    }
  })()
  return { done, errors, answeredAt: () => answeredAt }
}

// Each test has its own database and proxy, and mostly waits.
describe.concurrent('connections', () => {
  it('R11: every connection works again within 15 s after packets with queries were dropped', async () => {
    await using test = await setUp()
    const { proxy, database } = test
    const stop = new AbortController()
    const loops = onEveryConnection(() => askOn(database, stop.signal))
    try {
      await waitFor(() => loops.every(({ answeredAt }) => answeredAt() > 0), { withinMs: 10_000 })
      proxy.swallow()
      await pause(3_000)
      proxy.pass()
      const passedAt = performance.now()
      const areBack = () => loops.every(({ answeredAt }) => answeredAt() > passedAt)
      await waitFor(areBack, { withinMs: backMs, what: 'an answer to each' })
      const errors = loops.flatMap((loop) => loop.errors)
      expect(errors.length).toBeGreaterThan(0)
      expect(errors.filter((error) => !isAway(error))).toEqual([])
    } finally {
      stop.abort()
      proxy.cut()
      await Promise.all(loops.map(({ done }) => done))
    }
  })

  it('R11: connections that were idle while packets were dropped are closed together, not one after another', async () => {
    await using test = await setUp()
    const { proxy, database } = test
    await Promise.all(onEveryConnection(() => ask(database)))
    proxy.swallow()
    proxy.pass()
    const startedAt = performance.now()
    let answers = 0
    // One after another, as a heartbeat or a leader asks.
    while (answers <= connections && performance.now() - startedAt < backMs) {
      await Promise.race([ask(database).then(() => (answers += 1)), pause(backMs)]).catch(() => {})
    }
    const tookMs = performance.now() - startedAt
    proxy.cut()
    expect(tookMs).toBeLessThan(backMs)
  })

  it('R11: a transaction whose packets are dropped holds its locks for no more than 6 s', async () => {
    await using test = await setUp()
    const { proxy, database } = test
    await database.pool.query('create table held (n integer)')
    await database.pool.query('insert into held values (1)')
    const { promise: swallowed, resolve: noteSwallowed } = Promise.withResolvers<void>()
    const cut = database.transaction(async (tx) => {
      await tx.query('update held set n = 2')
      proxy.swallow()
      noteSwallowed()
      await tx.query('select 1')
    })
    const failed = cut.catch((error: unknown) => error)
    await swallowed
    proxy.pass()
    const startedAt = performance.now()
    const { rows } = await database.pool.query('update held set n = 3 returning n')
    // Includes the delay of a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(9_000)
    expect(rows[0].n).toBe(3)
    expect(isAway(await failed)).toBe(true)
  })

  it('keeps a connection that waits for a slow statement within its limit', async () => {
    await using test = await setUp()
    const slow = test.database.outsideTransactions((connection) => connection.query('select pg_sleep(11), 1 as n'), {
      timeoutMs: 20_000,
    })
    expect((await slow).rows[0].n).toBe(1)
  })

  it('learns of a statement timeout from PostgreSQL, without closing the connection', async () => {
    await using test = await setUp()
    const slow = test.database.pool.query('select pg_sleep(20)')
    expect(sqlState(await slow.catch((error: unknown) => error))).toBe('57014')
  })
})
