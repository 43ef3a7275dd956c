import { bytes } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poison } from './testing/poison.ts'
import { createWorkshop, type Workshop } from './testing/workshop.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await createWorkshop({ slots: 4 })
})
afterAll(() => shop[Symbol.asyncDispose]())

async function isFree(id: ObjectId): Promise<boolean> {
  const { rows } = await shop.database.pool.query(`select worker_id is null as free from tasks where id = $1`, [
    bytes(id),
  ])
  return rows[0].free
}

describe('one task that cannot be changed', () => {
  it('keeps no other task of a dead worker from continuing, and its error is reported', async () => {
    const worker = await shop.addWorker()
    const bad = await shop.start(await shop.addOwner(), worker)
    const good = await shop.start(await shop.addOwner(), worker)
    expect(bad.taskId < good.taskId).toBe(true)
    await shop.desk.leave(worker)
    await using _ = await poison(shop, bad.taskId)
    await expect(shop.caretaker.recoverFromTheDead()).rejects.toThrow('1 of 2 failed, the first one: poison')
    expect([await isFree(bad.taskId), await isFree(good.taskId)]).toEqual([false, true])
  })

  it('keeps no other owner from getting its slots', async () => {
    const callers = [await shop.addOwner(1), await shop.addOwner(1), await shop.addOwner(1)]
    const tasks = []
    for (const caller of callers) {
      const task = shop.newTask()
      await shop.orchestrator.createTask(caller, task)
      tasks.push(task.id)
      await shop.database.pool.query(`update tasks set slot = false where id = $1`, [bytes(task.id)])
      await shop.database.pool.query(`update owners set slots_used = 0, backlog = 1 where id = $1`, [
        bytes(caller.ownerId),
      ])
    }
    shop.queued.length = 0
    await using _ = await poison(shop, tasks[0] as ObjectId)
    await expect(shop.caretaker.admitBacklogs()).rejects.toThrow('1 of 3 failed, the first one: poison')
    expect(shop.queued.map(({ entry }) => entry.task)).toEqual(tasks.slice(1))
  })

  it('keeps no other task of a closed account from being deleted', async () => {
    const caller = await shop.addOwner()
    const [bad, good] = [shop.newTask(), shop.newTask()]
    for (const task of [bad, good]) await shop.orchestrator.createTask(caller, task)
    await shop.database.pool.query(`insert into closed_accounts (owner_id) values ($1)`, [bytes(caller.ownerId)])
    await using _ = await poison(shop, bad.id)
    await expect(shop.caretaker.deleteTasksOfClosed()).rejects.toThrow('1 of 2 failed, the first one: poison')
    const { rows } = await shop.database.pool.query(`select id, status from tasks where owner_id = $1 order by id`, [
      bytes(caller.ownerId),
    ])
    expect(rows).toEqual([
      { id: bad.id, status: 'created' },
      { id: good.id, status: 'deleted' },
    ])
  })
})

describe('after Redis has lost its queues', () => {
  it('every family goes on at once, whatever waits in others, and the long one completely', async () => {
    const { pool } = shop.database
    /** Waiting tasks of one family: copies of one row, because the index and the query see the same. */
    async function addWaiting(needs: string, count: number) {
      const task = shop.newTask()
      await shop.orchestrator.createTask(await shop.addOwner(), task)
      await pool.query(
        `update tasks set pool = 'process', operation = 'convert', needs = $2, updated_at = now() - interval '1 minute'
          where id = $1`,
        [bytes(task.id), needs],
      )
      await pool.query(
        `insert into tasks (id, owner_id, user_id, position, name, operation, pool, status, payload, depends_on, pending,
                            slot, attempt, seq, created_at, updated_at, needs)
         select substr(id, 1, 4) || decode('fe' || lpad(to_hex(n), 14, '0'), 'hex'), owner_id, user_id, position, name,
                operation, pool, status, payload, depends_on, pending, true, attempt, seq, created_at, updated_at, needs
           from tasks, generate_series(1, $2::integer) n where id = $1`,
        [bytes(task.id), count - 1],
      )
      return task.id
    }
    await addWaiting('av', 1_000)
    shop.clock.advance(2_000)
    const image = await addWaiting('image', 1)
    shop.queued.length = 0
    await shop.caretaker.requeueUnclaimed()
    expect(shop.queued.map(({ entry }) => entry.task)).toContain(image)
    for (let n = 0; n < 4; n += 1) await shop.caretaker.requeueUnclaimed()
    const videos = shop.queued.filter(({ entry }) => entry.family === 'av').map(({ entry }) => entry.task)
    expect(new Set(videos).size).toBe(1_000)
  })
})
