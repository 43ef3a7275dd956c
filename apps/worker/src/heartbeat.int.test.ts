import { setTimeout as pause } from 'node:timers/promises'
import { bytes, createDatabase, type Fence } from '@lathe/database'
import { createWorkerDesk } from '@lathe/orchestrator'
import { createWorkshop } from '@lathe/orchestrator/testing'
import { silentLog } from '@lathe/runtime'
import { startTcpProxy } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { heartbeatDatabase, startHeartbeat } from './heartbeat.ts'
import { createLeases } from './leases.ts'
import { reportEnd } from './report-end.ts'

const connections = 16

/** A worker's heartbeat and desk, with their own connections, next to a scheduler that looks for dead workers. */
async function setUp() {
  await using own = new AsyncDisposableStack()
  const shop = own.use(await createWorkshop({ slots: 100 }))
  const proxy = own.use(await startTcpProxy(shop.url))
  const config = { url: proxy.through(shop.url), connections }
  const database = own.use(createDatabase(config))
  const heartbeats = own.use(heartbeatDatabase(config))
  const desk = createWorkerDesk({ ...shop.context, database }, { heartbeats })
  const leases = createLeases()
  const worker = { host: 'test', pools: ['transfer', 'process'], sandboxLevel: 2 }
  const heartbeat = own.use(await startHeartbeat({ desk, leases, ids: shop.ids, log: silentLog, worker }))

  async function start(caller: Awaited<ReturnType<typeof shop.addOwner>>): Promise<Fence> {
    const fence = await shop.start(caller, heartbeat.workerId)
    leases.hold(fence).noteClaim()
    return fence
  }

  async function stateOf({ taskId }: Fence) {
    const sql = 'select status, attempt from tasks where id = $1'
    return (await shop.database.pool.query(sql, [bytes(taskId)])).rows[0]
  }

  async function countDeaths(): Promise<number> {
    const { rows } = await shop.database.pool.query(
      `select count(*)::int as n from workers where ended_by is not null and ended_by <> 'itself'`,
    )
    return rows[0].n
  }

  const all = own.move()
  return { shop, proxy, desk, start, stateOf, countDeaths, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const noTimes = { sum: () => ({ queueMs: 0, fetchMs: 0, engineMs: 0, storeMs: 0 }) }

const complete = (desk: Parameters<typeof reportEnd>[0], fence: Fence) =>
  reportEnd(
    desk,
    { claim: { fence }, log: silentLog, engine: { clock: { ms: 0 } }, times: noTimes } as Parameters<
      typeof reportEnd
    >[1],
    {
      kind: 'done',
      files: [],
      warnings: [],
    },
  )

// Each test has its own database, and mostly waits.
describe.concurrent('the heartbeat', () => {
  it('R2: continues while an owner’s row is locked for 14 s and 16 of its tasks complete, and no lease is lost', async () => {
    await using test = await setUp()
    const { shop, desk } = test
    const [owner, other] = [await shop.addOwner(), await shop.addOwner()]
    const blocked = await Promise.all(Array.from({ length: connections }, () => test.start(owner)))
    const free = await Promise.all(Array.from({ length: 4 }, () => test.start(other)))
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: locked, resolve: noteLocked } = Promise.withResolvers<void>()
    const holding = shop.database.withConnection(async (connection) => {
      await connection.query('begin')
      await connection.query('set local idle_in_transaction_session_timeout = 0')
      await connection.query('select from owners where id = $1 for no key update', [bytes(owner.ownerId)])
      noteLocked()
      await held
      await connection.query('commit')
    })
    await locked
    const ends = Promise.all(blocked.map((fence) => complete(desk, fence)))
    const looking = new AbortController()
    const scheduler = (async () => {
      while (!looking.signal.aborted) {
        await shop.caretaker.recoverFromTheDead()
        await pause(500)
      }
    })()
    await pause(14_000)
    expect(await test.countDeaths()).toBe(0)
    expect(await Promise.all(free.map(test.stateOf))).toEqual(free.map(() => ({ status: 'processing', attempt: 1 })))
    letGo()
    await holding
    expect(await ends).toEqual(blocked.map(() => 'written'))
    expect(await Promise.all(free.map((fence) => complete(desk, fence)))).toEqual(free.map(() => 'written'))
    looking.abort()
    await scheduler
    expect(await test.countDeaths()).toBe(0)
    const states = await Promise.all([...blocked, ...free].map(test.stateOf))
    expect(new Set(states.map(({ status, attempt }) => `${status} ${attempt}`))).toEqual(new Set(['completed 1']))
  })

  it('R2: a transaction that a frozen process left open locks an owner’s row for no more than 6 s', async () => {
    await using test = await setUp()
    const { shop, desk } = test
    const owner = await shop.addOwner()
    const fence = await test.start(owner)
    const { promise: frozen, resolve: wake } = Promise.withResolvers<void>()
    const { promise: locked, resolve: noteLock } = Promise.withResolvers<void>()
    const freezing = shop.database.transaction(async (tx) => {
      await tx.query('select from owners where id = $1 for no key update', [bytes(owner.ownerId)])
      noteLock()
      await frozen
      await tx.query('select 1')
    })
    const outcome = freezing.then(
      () => 'committed',
      () => 'refused',
    )
    await locked
    const startedAt = performance.now()
    expect(await complete(desk, fence)).toBe('written')
    // Plus what a busy machine adds. A worker counts as dead after 9 s.
    expect(performance.now() - startedAt).toBeLessThan(9_000)
    wake()
    expect(await outcome).toBe('refused')
  })

  it('R2: recovers in time after its connection is lost silently', async () => {
    await using test = await setUp()
    const { shop, proxy } = test
    await pause(4_000)
    proxy.swallow()
    proxy.pass()
    for (let round = 0; round < 26; round += 1) {
      await shop.caretaker.recoverFromTheDead()
      await pause(500)
    }
    expect(await test.countDeaths()).toBe(0)
  })
})
