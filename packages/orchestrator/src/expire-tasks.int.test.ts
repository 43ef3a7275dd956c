import { bytes, dropExpiredPartitions, ensurePartitions } from '@lathe/database'
import { amount } from '@lathe/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { poison } from './testing/poison.ts'
import { createWorkshop, type Workshop } from './testing/workshop.ts'

const hourMs = 3_600_000
let shop: Workshop
beforeAll(async () => {
  shop = await createWorkshop({ slots: 4 })
})
afterAll(() => shop[Symbol.asyncDispose]())
beforeEach(async () => {
  await shop.database.pool.query('delete from tasks')
  await ensurePartitions(shop.database.pool, shop.clock.now())
})

/** Copies a task many times: creating each through the orchestrator would take minutes. */
async function createMany(caller: Caller, count: number): Promise<void> {
  const first = shop.newTask()
  await shop.orchestrator.createTask(caller, first)
  await shop.database.pool.query(
    `insert into tasks (id, owner_id, user_id, position, name, operation, pool, status, payload, depends_on, pending,
                        slot, attempt, seq, created_at, updated_at)
     select decode(lpad(to_hex(get_byte(id, 0)), 2, '0') || substr(encode(id, 'hex'), 3, 6) || 'ff'
                   || lpad(to_hex(n), 14, '0'), 'hex'),
            owner_id, user_id, position, name, operation, pool, status, payload, depends_on, pending, false,
            attempt, seq, created_at, updated_at
       from tasks, generate_series(1, $2::integer) n where id = $1`,
    [bytes(first.id), count - 1],
  )
  await shop.database.pool.query('update owners set backlog = $2 where id = $1', [bytes(caller.ownerId), count - 1])
}

async function countOpen(): Promise<number> {
  const { rows } = await shop.database.pool.query<{ count: number }>(
    `select count(*)::int as count from tasks where status in ('created', 'processing')`,
  )
  return rows[0]?.count ?? 0
}

async function countersOf({ ownerId }: Caller) {
  const counters = 'select slots_used, backlog, open_tasks from owners where id = $1'
  return (await shop.database.pool.query(counters, [bytes(ownerId)])).rows[0]
}

describe('R1: overdue tasks', () => {
  it('end although the stack was down for longer than their lifetime, and slots were recounted meanwhile', async () => {
    const caller = await shop.addOwner(4)
    for (let n = 0; n < 600; n += 1) await shop.orchestrator.createTask(caller, shop.newTask())
    shop.clock.advance(5.5 * hourMs)
    // A wrong counter, so that the owner's counters are recalculated from its tasks.
    await shop.database.pool.query('update owners set slots_used = 3 where id = $1', [bytes(caller.ownerId)])
    await shop.caretaker.admitBacklogs()
    expect(await shop.caretaker.expireOverdue()).toBe(600)
    await shop.caretaker.admitBacklogs()
    expect(await shop.caretaker.expireOverdue()).toBe(0)
    expect(await countOpen()).toBe(0)
    const { rows } = await shop.database.pool.query('select slots_used, backlog from owners where id = $1', [
      bytes(caller.ownerId),
    ])
    expect(rows).toEqual([{ slots_used: 0, backlog: 0 }])
  })

  it('end although their owner’s counters are wrong', async () => {
    const caller = await shop.addOwner(4)
    for (let n = 0; n < 20; n += 1) await shop.orchestrator.createTask(caller, shop.newTask())
    await shop.database.pool.query('update owners set slots_used = 0, backlog = 0 where id = $1', [
      bytes(caller.ownerId),
    ])
    shop.clock.advance(5.5 * hourMs)
    expect(await shop.caretaker.expireOverdue()).toBe(20)
    expect(await countOpen()).toBe(0)
  })

  it('of an installation that was off for three days end, and give back all that their owners had', async () => {
    const { pool } = shop.database
    const caller = await shop.addOwner(4)
    for (let n = 0; n < 6; n += 1) await shop.orchestrator.createTask(caller, shop.newTask())
    shop.clock.advance(72 * hourMs)
    await ensurePartitions(pool, shop.clock.now())
    const drop = () => shop.database.withConnection((one) => dropExpiredPartitions(one, shop.clock.now()))
    // The order in which the duties run must not matter.
    expect((await drop()).held).toHaveLength(1)
    expect(await shop.caretaker.expireOverdue()).toBe(6)
    expect((await drop()).held).toEqual([])
    expect(await countersOf(caller)).toEqual({ slots_used: 0, backlog: 0, open_tasks: 0 })
    shop.queued.length = 0
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    expect(shop.queued.map(({ entry }) => entry.task)).toEqual([task.id])
  })

  const many = amount({ whole: 100_000, sample: 3_000 })
  it(`end within 5 minutes, ${many} of them, despite one that cannot be ended`, { timeout: 330_000 }, async () => {
    const [caller, other] = [await shop.addOwner(), await shop.addOwner()]
    const bad = shop.newTask()
    await shop.orchestrator.createTask(other, bad)
    await createMany(caller, many)
    shop.clock.advance(5.5 * hourMs)
    await using _ = await poison(shop, bad.id)
    const startedAt = performance.now()
    expect(await shop.caretaker.expireOverdue()).toBe(many)
    expect(performance.now() - startedAt).toBeLessThan(300_000)
    expect(await countOpen()).toBe(1)
  })

  it('end with what they wait for, and name it as the reason', async () => {
    const caller = await shop.addOwner(4)
    const [first, second] = [shop.newTask(), shop.newTask('convert')]
    const inputs = [{ kind: 'sibling' as const, name: 'first' }]
    const tasks = [
      { ...first, name: 'first' },
      { ...second, name: 'second', inputs },
    ]
    await shop.orchestrator.createJob(caller, { id: shop.ids.next(shop.clock.now()), tag: null, tasks })
    shop.clock.advance(5.5 * hourMs)
    expect(await shop.caretaker.expireOverdue()).toBe(2)
    const { rows } = await shop.database.pool.query(
      `select name, reason from tasks where owner_id = $1 order by name`,
      [bytes(caller.ownerId)],
    )
    expect(rows).toEqual([
      { name: 'first', reason: 'engine_timeout' },
      { name: 'second', reason: 'input_failed' },
    ])
  })
})
