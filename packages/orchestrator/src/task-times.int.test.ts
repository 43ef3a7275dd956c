import { findTaskById } from '@lathe/database'
import { failure, type ObjectId } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createWorkshop, firstAttempt, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop()
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

const times = { queueMs: 12, fetchMs: 34, engineMs: 567, storeMs: 8 }
const outcome = { files: [someFile], warnings: [], times }
const timesOf = async (id: ObjectId) => (await findTaskById(shop.database.pool, id))?.times

describe('the times of a task', () => {
  it.each([true, false])('are kept with its completion (alone: %s)', async (isLone) => {
    const caller = await shop.addOwner()
    const fence = await shop.start(caller, workerId)
    expect(await timesOf(fence.taskId)).toBeNull()
    expect(await shop.desk.complete(fence, outcome, { ownerId: caller.ownerId, isLone })).toBe('written')
    expect(await timesOf(fence.taskId)).toEqual(times)
  })

  it('are kept with its failure', async () => {
    const fence = await shop.start(await shop.addOwner(), workerId)
    await shop.desk.fail({ ...firstAttempt(fence), times }, failure('input_damaged'))
    expect(await timesOf(fence.taskId)).toEqual(times)
  })

  it('stay when it is deleted', async () => {
    const caller = await shop.addOwner()
    const fence = await shop.start(caller, workerId)
    await shop.desk.complete(fence, outcome, { ownerId: caller.ownerId, isLone: false })
    await shop.orchestrator.deleteTask(caller, fence.taskId)
    expect(await timesOf(fence.taskId)).toEqual(times)
  })

  it('are unknown for an upload, which has no worker', async () => {
    const caller = await shop.addOwner()
    const task = shop.newTask('import/upload')
    await shop.orchestrator.createTask(caller, task)
    await shop.orchestrator.completeUpload(task.id, someFile, { ownerId: caller.ownerId, isLone: true })
    expect(await timesOf(task.id)).toBeNull()
  })

  it('never end before they begin, even if it was canceled before a worker took it', async () => {
    const caller = await shop.addOwner()
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    const { pool } = shop.database
    const canceled = await shop.database.transaction(async (tx) => {
      await tx.query('select from owners where id = $1 for update', [`\\x${caller.ownerId}`])
      const canceling = shop.orchestrator.cancelTask(caller, task.id)
      await vi.waitFor(async () => {
        const sql = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        expect((await pool.query(sql)).rows.length).toBeGreaterThan(0)
      })
      expect(await shop.desk.claim({ taskId: task.id, attempt: 1, workerId })).toBeDefined()
      // Not awaited here: it ends after this transaction.
      return { canceling }
    })
    await canceled.canceling
    const found = await findTaskById(pool, task.id)
    expect(found?.status).toBe('canceled')
    expect(found?.endedAt?.getTime()).toBeGreaterThanOrEqual(found?.startedAt?.getTime() ?? 0)
  })
})
