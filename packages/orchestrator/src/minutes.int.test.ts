import { bytes, findTaskById, updatePlan } from '@lathe/database'
import { failure, type ObjectId } from '@lathe/domain'
import type { Operation } from '@lathe/operations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop()
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

async function addOwner(minutesPerMonth: number | null, minutesPerTask: number | null = null): Promise<Caller> {
  const caller = await shop.addOwner()
  await updatePlan(shop.database.pool, caller.ownerId, { minutesPerMonth, minutesPerTask })
  return caller
}

const usedBy = async ({ ownerId }: Caller) => (await updatePlan(shop.database.pool, ownerId, {}))?.usedMs ?? -1

/** Claims a new task whose input is complete. */
async function claimed(caller: Caller, operation: Operation = 'convert') {
  const source = await shop.start(caller, workerId)
  await shop.desk.complete(source, { files: [someFile], warnings: [] })
  const task = shop.newTask(operation, [source.taskId])
  await shop.orchestrator.createTask(caller, task)
  return { taskId: task.id, claim: await shop.desk.claim({ taskId: task.id, attempt: 1, workerId }) }
}

/** As if an engine had worked on the task for this long and its worker had reported it. */
async function spend(taskId: ObjectId, ms: number): Promise<void> {
  const sql = `update tasks set engine_at = now() - $2 * interval '1 millisecond' where id = $1`
  await shop.database.pool.query(sql, [bytes(taskId), ms])
}

const done = { files: [], warnings: [] }

describe('conversion minutes', () => {
  it('are used by tasks that complete, fail and are canceled, and not by imports [S-auth-06]', async () => {
    const caller = await addOwner(10)
    const [first, second, third] = [await claimed(caller), await claimed(caller), await claimed(caller)]
    expect(await usedBy(caller)).toBe(0)
    for (const { taskId } of [first, second, third]) await spend(taskId, 60_000)
    if (!first.claim || !second.claim) throw new Error('not claimed')
    await shop.desk.complete(first.claim.fence, done)
    await shop.desk.fail(second.claim, failure('input_damaged'))
    await shop.orchestrator.cancelTask(caller, third.taskId)
    expect(await usedBy(caller)).toBeGreaterThanOrEqual(180_000)
    expect(await usedBy(caller)).toBeLessThan(190_000)
  })

  it('R7: are not used while a claimed task waits for an engine, however it ends', async () => {
    const caller = await addOwner(10)
    const [done, failed, canceled] = [await claimed(caller), await claimed(caller), await claimed(caller)]
    for (const { taskId } of [done, failed, canceled]) {
      const sql = `update tasks set updated_at = now() - interval '60 seconds' where id = $1`
      await shop.database.pool.query(sql, [bytes(taskId)])
    }
    if (!done.claim || !failed.claim) throw new Error('not claimed')
    await shop.orchestrator.cancelTask(caller, canceled.taskId)
    expect(await usedBy(caller)).toBe(0)
    await shop.desk.complete(done.claim.fence, { files: [], warnings: [], engineMs: 4_000 }, done.claim.standing)
    await shop.desk.fail({ ...failed.claim, engineMs: 3_000 }, failure('input_damaged'))
    expect(await usedBy(caller)).toBe(7_000)
  })

  it('are not used by internal failures, nor by an attempt that is retried [S-auth-06]', async () => {
    const caller = await addOwner(10)
    const { taskId, claim } = await claimed(caller)
    if (!claim) throw new Error('not claimed')
    await spend(taskId, 60_000)
    await shop.desk.fail({ ...claim, failures: 0 }, failure('internal'))
    await spend(taskId, 60_000)
    await shop.database.pool.query('update tasks set not_before = null where id = $1', [bytes(taskId)])
    const again = await shop.desk.claim({ taskId, attempt: 2, workerId })
    if (!again) throw new Error('not claimed again')
    await shop.desk.fail({ ...again, failures: 99 }, failure('internal'))
    expect((await findTaskById(shop.database.pool, taskId))?.status).toBe('failed')
    expect(await usedBy(caller)).toBe(0)
  })

  it('used up, let a task be accepted and fail when it would begin, but not an import [S-err-21]', async () => {
    const caller = await addOwner(0)
    const { taskId, claim } = await claimed(caller)
    expect(claim).toBeUndefined()
    expect(await findTaskById(shop.database.pool, taskId)).toMatchObject({
      status: 'failed',
      errorCode: 'out_of_conversion_minutes',
      reason: 'out_of_minutes',
    })
  })

  it('limit how long a task may take at the worker [S-err-22]', async () => {
    const perTask = (await claimed(await addOwner(null, 2))).claim
    expect(perTask?.allowance).toEqual({ ms: 120_000, code: 'out_of_minutes_per_task' })
    expect((await claimed(await addOwner(null))).claim?.allowance).toBeUndefined()
    const caller = await addOwner(1, 2)
    const first = await claimed(caller)
    await spend(first.taskId, 20_000)
    if (first.claim) await shop.desk.complete(first.claim.fence, done)
    const { allowance } = (await claimed(caller)).claim ?? {}
    expect(allowance?.code).toBe('out_of_minutes')
    expect(allowance?.ms).toBeLessThanOrEqual(40_000)
    expect(allowance?.ms).toBeGreaterThan(30_000)
  })

  it('of one task end it with out_of_conversion_minutes_per_task, for good, and what follows it as well [S-err-22]', async () => {
    const caller = await addOwner(null, 1)
    const { taskId, claim } = await claimed(caller)
    if (!claim?.allowance) throw new Error('not claimed')
    const next = shop.newTask('export/url', [taskId])
    await shop.orchestrator.createTask(caller, next)
    await spend(taskId, claim.allowance.ms)
    await shop.desk.fail(claim, failure(claim.allowance.code))
    expect(await findTaskById(shop.database.pool, taskId)).toMatchObject({
      status: 'failed',
      attempt: 1,
      errorCode: 'out_of_conversion_minutes_per_task',
      reason: 'out_of_minutes_per_task',
    })
    expect(await findTaskById(shop.database.pool, next.id)).toMatchObject({ status: 'failed', reason: 'input_failed' })
    expect(await usedBy(caller)).toBeGreaterThanOrEqual(60_000)
  })

  it('start again with the month [D-op-62]', async () => {
    const caller = await addOwner(1)
    const { taskId, claim } = await claimed(caller)
    await spend(taskId, 90_000)
    if (claim) await shop.desk.complete(claim.fence, done)
    expect((await claimed(caller)).claim).toBeUndefined()
    await shop.database.pool.query(`update owners set used_in = used_in - interval '1 month' where id = $1`, [
      bytes(caller.ownerId),
    ])
    expect(await usedBy(caller)).toBe(0)
    expect((await claimed(caller)).claim?.allowance?.ms).toBe(60_000)
  })
})
