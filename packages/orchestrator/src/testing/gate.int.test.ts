import { createDatabase, type Executor } from '@lathe/database'
import { createTestDatabase } from '@lathe/testing'
import { expect, it } from 'vitest'
import { type Gate, interleave, openGate } from './gate.ts'

it('counts a deadlock although both transactions succeed in the end', async () => {
  await using own = new AsyncDisposableStack()
  const { url } = own.use(await createTestDatabase())
  const monitor = own.use(createDatabase({ url, connections: 1 }))
  await monitor.pool.query('create table pairs as select id from generate_series(1, 2) id')
  const lock = (tx: Executor, id: number) => tx.query('select from pairs where id = $1 for update', [id])
  const gates = [own.use(openGate(url)), own.use(openGate(url))] as const
  const inOrder = (gate: Gate, ids: readonly [number, number]) => ({
    gate,
    act: () =>
      gate.database.transaction(async (tx) => {
        await lock(tx, ids[0])
        await lock(tx, ids[1])
      }),
  })
  const isBlocked = async (backend: number) => {
    const { rows } = await monitor.pool.query(`select cardinality(pg_blocking_pids($1)) as by`, [backend])
    return rows[0].by > 0
  }
  const pair = [inOrder(gates[0], [1, 2]), inOrder(gates[1], [2, 1])] as const
  const { ends } = await interleave(pair, isBlocked, (position) => position % 2)
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(gates[0].deadlocks + gates[1].deadlocks).toBe(1)
})
