import { createWorkshop, type Workshop } from '@lathe/orchestrator/testing'
import { createMetrics } from '@lathe/runtime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createObserver } from './observe.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await createWorkshop({ slots: 2 })
})
afterAll(() => shop[Symbol.asyncDispose]())

const metrics = createMetrics()
const observer = () => createObserver({ database: shop.database, clock: shop.clock, metrics })

async function shown(name: string): Promise<readonly string[]> {
  const text = await metrics.registry.metrics()
  return text.split('\n').filter((line) => new RegExp(`^lathe_${name}[ {]`).test(line))
}

const numberIn = (line: string | undefined) => Number(line?.split(' ').at(-1))

it('shows what waits in each queue, and what has no slot, without a label for owners', async () => {
  const caller = await shop.addOwner()
  for (let n = 0; n < 5; n += 1) await shop.orchestrator.createTask(caller, shop.newTask())
  await shop.addWorker()
  await observer().observe()
  expect(await shown('tasks_waiting')).toContain('lathe_tasks_waiting{pool="transfer",lane="quick",family="any"} 2')
  expect(await shown('tasks_waiting')).toContain('lathe_tasks_waiting{pool="process",lane="alone",family="office"} 0')
  expect(await shown('tasks_backlog')).toEqual(['lathe_tasks_backlog 3'])
  expect(await shown('owners_backlogged')).toEqual(['lathe_owners_backlogged 1'])
  expect(await shown('owner_backlog_max')).toEqual(['lathe_owner_backlog_max 3'])
  expect(await shown('workers')).toContain('lathe_workers{sandbox_level="2"} 1')
  expect(numberIn((await shown('partitions_ahead_seconds'))[0])).toBeGreaterThan(5 * 3600)
})

it('shows how long the oldest has waited, and counts no task in back-off', async () => {
  const { pool } = shop.database
  await pool.query(`update tasks set updated_at = now() - interval '90 seconds' where slot`)
  await observer().observe()
  const oldest = (await shown('tasks_waiting_oldest_seconds')).find((line) => line.includes('transfer'))
  expect(numberIn(oldest)).toBeGreaterThanOrEqual(90)
  expect(numberIn(oldest)).toBeLessThan(120)
  await pool.query(`update tasks set not_before = now() + interval '1 hour' where slot`)
  await observer().observe()
  expect(await shown('tasks_waiting')).toContain('lathe_tasks_waiting{pool="transfer",lane="quick",family="any"} 0')
})

it('reads only indexes, never the tables', async () => {
  const plans: string[] = []
  const { pool } = shop.database
  // PostgreSQL reads a small table completely whatever indexes there are, unless sequential scans are off.
  const explaining = {
    query: async (sql: string, values?: unknown[]) => {
      await shop.database.transaction(async (tx) => {
        await tx.query('set local enable_seqscan = off')
        const { rows } = await tx.query(`explain ${sql}`, values as never)
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      })
      return pool.query(sql, values as never)
    },
  }
  const database = { pool: explaining as unknown as typeof pool }
  await createObserver({ database, clock: shop.clock, metrics }).observe()
  const ofTasks = plans.filter((plan) => /tasks_p/.test(plan))
  expect(ofTasks).toHaveLength(2)
  for (const plan of ofTasks) {
    expect(plan).not.toMatch(/Seq Scan on tasks/)
    expect(plan).toMatch(/Index (Only )?Scan.*(pool_id|owner_id_id)/)
  }
})

it('shows nothing after forget()', async () => {
  await observer().observe()
  observer().forget()
  expect(await shown('tasks_waiting')).toEqual([])
  expect(await shown('tasks_backlog')).toEqual(['lathe_tasks_backlog 0'])
})
