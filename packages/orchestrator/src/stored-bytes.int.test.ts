import { bytes, findStorage, forgetStoredBytes, updatePlan } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createOrchestrator, createWorkerDesk, type Orchestrator, type WorkerDesk } from './orchestrator.ts'
import { createWorkshop, firstAttempt, someFile, type Workshop } from './testing/workshop.ts'

const most = 100
let shop: Workshop
let workerId: ObjectId
let orchestrator: Orchestrator
let desk: WorkerDesk
beforeAll(async () => {
  shop = await createWorkshop({ slots: 50 })
  workerId = await shop.addWorker()
  const context = { ...shop.context, limits: { storedBytesPerOwner: most } }
  orchestrator = createOrchestrator(context)
  desk = createWorkerDesk(context)
})
afterAll(() => shop[Symbol.asyncDispose]())

const fileOf = (size: number) => ({ ...someFile, size })
const outcomeOf = (size: number) => ({ files: [fileOf(size)], warnings: [] })

/** The counted bytes and the actual sizes of the files. */
async function storedBy({ ownerId }: Caller): Promise<{ counted: number; stored: number }> {
  const { rows } = await shop.database.pool.query<{ stored: number }>(
    `select coalesce(sum(f.size), 0)::int as stored from files f join tasks t on t.id = f.task_id
      where t.owner_id = $1 and f.deleted_at is null and f.expires_at > now()`,
    [bytes(ownerId)],
  )
  const { used } = await findStorage(shop.database.pool, ownerId)
  return { counted: used, stored: rows[0]?.stored ?? 0 }
}

async function stateOf(id: ObjectId): Promise<string> {
  const { rows } = await shop.database.pool.query(`select status, reason, msg from tasks where id = $1`, [bytes(id)])
  return `${rows[0].status} ${rows[0].reason} ${rows[0].msg}`
}

/** Creates a task and claims it. */
async function start(caller: Caller) {
  const task = shop.newTask()
  await orchestrator.createTask(caller, task)
  const fence = { taskId: task.id, attempt: 1, workerId }
  const claim = await desk.claim(fence)
  return { fence, standing: claim?.standing }
}

async function storeFile(caller: Caller, size: number): Promise<ObjectId> {
  const { fence, standing } = await start(caller)
  expect(await desk.complete(fence, outcomeOf(size), standing)).toBe('written')
  return fence.taskId
}

async function openForm(caller: Caller) {
  const task = shop.newTask('import/upload')
  await orchestrator.createTask(caller, task)
  return task.id
}

describe('S9: stored bytes of one owner', () => {
  it('are counted as files are stored and deleted, in every way', async () => {
    const caller = await shop.addOwner()
    const alone = await storeFile(caller, 10)
    const form = await openForm(caller)
    await orchestrator.completeUpload(form, fileOf(20), { ownerId: caller.ownerId, isLone: true })
    const job = { id: shop.ids.next(shop.clock.now()), tag: null, tasks: [{ ...shop.newTask(), name: 'in' }] }
    await orchestrator.createJob(caller, job)
    const inJob = { taskId: job.tasks[0]?.id ?? '', attempt: 1, workerId }
    await desk.complete(inJob, outcomeOf(30), (await desk.claim(inJob))?.standing)
    expect(await storedBy(caller)).toEqual({ counted: 60, stored: 60 })
    await orchestrator.deleteTask(caller, alone)
    expect(await storedBy(caller)).toEqual({ counted: 50, stored: 50 })
    await expect(orchestrator.deleteTask(caller, alone)).rejects.toThrow()
    await orchestrator.deleteJob(caller, job.id)
    expect(await storedBy(caller)).toEqual({ counted: 20, stored: 20 })
    await orchestrator.deleteTask(caller, form)
    expect(await storedBy(caller)).toEqual({ counted: 0, stored: 0 })
  })

  it('no longer count when their 4 hours are over, and their counts are removed then', async () => {
    const caller = await shop.addOwner()
    await storeFile(caller, 60)
    const later = shop.clock.now().getTime() + 4 * 3_600_000
    const move = `set expires_at = expires_at - interval '4 hours 5 minutes' where`
    await shop.database.pool.query(`update stored_bytes ${move} owner_id = $1`, [bytes(caller.ownerId)])
    await shop.database.pool.query(`update files ${move} task_id in (select id from tasks where owner_id = $1)`, [
      bytes(caller.ownerId),
    ])
    expect(await storedBy(caller)).toEqual({ counted: 0, stored: 0 })
    await storeFile(caller, 60)
    expect(await storedBy(caller)).toEqual({ counted: 60, stored: 60 })
    expect(await forgetStoredBytes(shop.database.pool, shop.clock.now())).toBe(1)
    expect(await storedBy(caller)).toEqual({ counted: 60, stored: 60 })
    expect(await forgetStoredBytes(shop.database.pool, new Date(later + 3_600_000))).toBeGreaterThan(0)
  })

  it.each([
    ['one below', 99],
    ['the limit', 100],
    ['one above', 101],
  ])('%s [L-stored]', async (_, size) => {
    const caller = await shop.addOwner()
    const { fence, standing } = await start(caller)
    const isTaken = size <= most
    expect(await desk.complete(fence, outcomeOf(size), standing)).toBe(isTaken ? 'written' : 'out_of_storage')
    expect(await storedBy(caller)).toEqual({ counted: isTaken ? size : 0, stored: isTaken ? size : 0 })
    if (isTaken) expect(await stateOf(fence.taskId)).toMatch(/^completed/)
    else
      expect(await stateOf(fence.taskId)).toMatch(
        /^failed out_of_storage Your files take 0 of the 100 bytes that you may store, and this needs 101 more\. Delete tasks/,
      )
  })

  it.each([
    ['less than the setting', 40],
    ['more than the setting', 160],
  ])('are limited by the quota of the owner: %s', async (_, quota) => {
    const caller = await shop.addOwner()
    await updatePlan(shop.database.pool, caller.ownerId, { storageBytes: quota })
    await orchestrator.requireStorage(caller.ownerId, quota)
    await expect(orchestrator.requireStorage(caller.ownerId, quota + 1)).rejects.toThrow(`0 of the ${quota} bytes`)
    const alone = await start(caller)
    expect(await desk.complete(alone.fence, outcomeOf(quota + 1), alone.standing)).toBe('out_of_storage')
    const form = await openForm(caller)
    for (const isLone of [true, false]) {
      const upload = orchestrator.completeUpload(form, fileOf(quota + 1), { ownerId: caller.ownerId, isLone })
      await expect(upload).rejects.toMatchObject({ code: 'out_of_storage' })
    }
    expect(await orchestrator.completeUpload(form, fileOf(quota))).toMatchObject({ status: 'completed' })
    const convert = shop.newTask('convert', [form])
    await orchestrator.createTask(caller, convert)
    expect(await desk.claim({ taskId: convert.id, attempt: 1, workerId })).toBeUndefined()
    expect(await stateOf(convert.id)).toContain(`Your files take ${quota} of the ${quota} bytes`)
  })

  it('have no limit with a quota of 0, and that of the setting again without a quota', async () => {
    const caller = await shop.addOwner()
    await updatePlan(shop.database.pool, caller.ownerId, { storageBytes: 0 })
    await storeFile(caller, most + 1)
    await storeFile(caller, most + 1)
    await updatePlan(shop.database.pool, caller.ownerId, { storageBytes: null })
    await expect(orchestrator.requireStorage(caller.ownerId, 1)).rejects.toThrow('of the 100 bytes')
  })

  it('block uploads, whose forms stay open until there is room', async () => {
    const caller = await shop.addOwner()
    const old = await storeFile(caller, 90)
    const form = await openForm(caller)
    await orchestrator.requireStorage(caller.ownerId, 10)
    await expect(orchestrator.requireStorage(caller.ownerId, 11)).rejects.toThrow(/90 of the 100 bytes .* 11 more/)
    for (const isLone of [true, false]) {
      const standing = { ownerId: caller.ownerId, isLone }
      const upload = orchestrator.completeUpload(form, fileOf(11), standing)
      await expect(upload).rejects.toMatchObject({ code: 'out_of_storage' })
    }
    expect(await storedBy(caller)).toEqual({ counted: 90, stored: 90 })
    await orchestrator.deleteTask(caller, old)
    expect(await orchestrator.completeUpload(form, fileOf(11))).toMatchObject({ status: 'completed' })
  })

  it('end a task before it begins when nothing is left, but no export to other storage', async () => {
    const caller = await shop.addOwner()
    const full = await storeFile(caller, most)
    const [convert, exported] = [shop.newTask('convert', [full]), shop.newTask('export/sftp', [full])]
    for (const task of [convert, exported]) await orchestrator.createTask(caller, task)
    expect(await desk.claim({ taskId: convert.id, attempt: 1, workerId })).toBeUndefined()
    expect(await stateOf(convert.id)).toMatch(/^failed out_of_storage Your files take 100 of the 100 bytes/)
    const fence = { taskId: exported.id, attempt: 1, workerId }
    const claim = await desk.claim(fence)
    expect(await desk.complete(fence, { files: [], warnings: [], exported: [] }, claim?.standing)).toBe('written')
  })

  it('are never over the limit, and use all of it, with many simultaneous ends and a dead worker', async () => {
    const caller = await shop.addOwner()
    const runs = await Promise.all(Array.from({ length: 40 }, () => start(caller)))
    const deadId = await shop.addWorker()
    const ends = await Promise.all(
      runs.map(async ({ fence, standing }, n) => {
        // Some are reported twice, some by a worker that has lost the lease, some are deleted as they end.
        const report = () => createWorkerDesk({ ...shop.context, limits: { storedBytesPerOwner: most } })
        const outcome = outcomeOf(7)
        if (n % 8 === 0) void orchestrator.deleteTask(caller, fence.taskId).catch(() => {})
        if (n % 5 === 0) await report().complete({ ...fence, workerId: deadId }, outcome, standing)
        const [end] = await Promise.all([
          report().complete(fence, outcome, n % 3 === 0 ? undefined : standing),
          n % 4 === 0 ? desk.complete(fence, outcome, standing) : undefined,
        ])
        return end
      }),
    )
    const { counted, stored } = await storedBy(caller)
    expect(counted).toBe(stored)
    expect(stored).toBeLessThanOrEqual(most)
    expect(ends).toContain('out_of_storage')
    // Files are stored until no more fit; after that only a deleted file makes room.
    const { rows } = await shop.database.pool.query(
      `select count(*) filter (where t.status = 'completed')::int * 7 as kept,
              count(*) filter (where t.status = 'deleted')::int * 7 as deleted from tasks t where owner_id = $1`,
      [bytes(caller.ownerId)],
    )
    expect(rows[0].kept).toBe(stored)
    expect(stored + rows[0].deleted).toBeGreaterThan(most - 7)
  })

  it('do not include a task that failed or was requeued after its bytes were stored', async () => {
    const caller = await shop.addOwner()
    const [failed, dead] = [await start(caller), await start(caller)]
    await desk.fail(firstAttempt(failed.fence), { kind: 'failure', code: 'input_damaged' })
    await desk.giveBack(dead.fence)
    expect(await desk.complete(dead.fence, outcomeOf(10), dead.standing)).toBe('refused')
    expect(await storedBy(caller)).toEqual({ counted: 0, stored: 0 })
  })
})
