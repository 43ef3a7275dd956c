import { createDatabase, type Database } from '@lathe/database'
import { Problem } from '@lathe/domain'
import { amount, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExplorer } from './testing/explore.ts'
import { findFaults } from './testing/find-faults.ts'
import { type Gate, gateName, interleave, openGate } from './testing/gate.ts'
import { act, clearScene, makeScene, type PairOperation, type Place, pairOperations } from './testing/pair-scene.ts'
import { createRecordingDispatch, createWorkshop, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let monitor: Database
let gates: readonly [Gate, Gate]
const own = new AsyncDisposableStack()
const bothGates = new AsyncDisposableStack()
const seed = Number(process.env.LATHE_CI_SEED ?? 1)
// If a pair has more orders than this, only some are tried: half of them systematic, half random.
const mostOrders = amount({ whole: 200, sample: 6 })
const minutes = (n: number) => n * 60_000

beforeAll(async () => {
  shop = own.use(await createWorkshop())
  own.use(bothGates)
  gates = [bothGates.use(openGate(shop.url)), bothGates.use(openGate(shop.url))]
  monitor = own.use(createDatabase({ url: shop.url, connections: 1 }))
})
afterAll(() => own.disposeAsync())

async function isBlocked(backend: number): Promise<boolean> {
  const { rows } = await monitor.pool.query<{ by: number }>(`select cardinality(pg_blocking_pids($1)) as by`, [backend])
  return (rows[0]?.by ?? 0) > 0
}

const countDeadlocks = () => gates.reduce((sum, { deadlocks }) => sum + deadlocks, 0)

/** A number that a statement returns as `count`. */
async function read(sql: string, values: readonly string[] = []): Promise<number | undefined> {
  return (await monitor.pool.query<{ count: number }>(sql, [...values])).rows[0]?.count
}

/** Tries the orders of two operations and checks the state after each; returns how many were tried, and if that is all. */
async function tryOrders(
  first: PairOperation,
  second: PairOperation,
  place: Place,
): Promise<{ orders: number; isAll: boolean }> {
  const explorer = createExplorer(mostOrders, seed)
  let runs = 0
  for (let choose = explorer.next(); choose; choose = explorer.next()) {
    runs += 1
    const scene = await makeScene(shop, place)
    const recording = createRecordingDispatch()
    const context = (gate: Gate) => ({ ...shop.context, database: gate.database, dispatch: recording.dispatch })
    const actors = [
      { gate: gates[0], act: () => act(context(gates[0]), scene, first, second, shop) },
      { gate: gates[1], act: () => act(context(gates[1]), scene, second, first, shop) },
    ] as const
    const before = countDeadlocks()
    const run = await interleave([actors[0], actors[1]], isBlocked, choose)
    const order = `${first} and ${second} ${place}, ${run.choices.join('')}`
    // A request may be rejected; any other error is a bug.
    const broken = run.ends.flatMap((end) =>
      end.status === 'rejected' && !(end.reason instanceof Problem) ? [end.reason] : [],
    )
    expect(broken, order).toEqual([])
    // All operations lock rows in the same order, so no pair deadlocks by design. A retry would hide one that does.
    expect(countDeadlocks() - before, `deadlocks in ${order}`).toBe(0)
    const queued = [...shop.queued, ...recording.queued]
    expect(await findFaults(shop, scene.caller.ownerId, queued), order).toEqual([])
    await clearScene(shop, scene)
    explorer.note(run)
  }
  return { orders: runs, isAll: explorer.isExhaustive }
}

const pairs = pairOperations.flatMap((first, i) => pairOperations.slice(i).map((second) => [first, second] as const))

describe.each<Place>(['outside a job', 'outside a job, with nobody waiting', 'in a job'])(
  'two at once, statement by statement, %s:',
  (place) => {
    it.each(pairs)(
      '%s and %s keep every rule in every order of their statements',
      {
        timeout: minutes(5),
      },
      async (first, second) => {
        const { orders, isAll } = await tryOrders(first, second, place)
        console.log(`${first} and ${second} ${place}: ${orders} orders tried, ${isAll ? 'all' : 'not all'}`)
        expect(orders).toBeGreaterThan(1)
      },
    )
  },
)

it('cause no deadlock in the statistics of PostgreSQL', async () => {
  // A backend reports what it counted with a delay, but at the latest when it ends.
  await bothGates.disposeAsync()
  const backends = `select count(*)::int from pg_stat_activity where datname = current_database() and application_name = $1`
  const areGone = async () => (await read(backends, [gateName])) === 0
  await waitFor(areGone, { withinMs: 10_000, what: 'the end of the backends' })
  expect(await read(`select deadlocks::int as count from pg_stat_database where datname = current_database()`)).toBe(0)
})
