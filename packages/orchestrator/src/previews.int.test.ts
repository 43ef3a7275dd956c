import { bytes, findFile, findTask, findTaskById, listTasks, sumUsage, updatePlan } from '@lathe/database'
import { createdAtOf, failure, filesExpireAt, type ObjectId } from '@lathe/domain'
import { catalogVersion } from '@lathe/engines'
import { requestLimits } from '@lathe/operations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, firstAttempt, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop()
  workerId = shop.ids.next()
  await shop.desk.register({
    id: workerId,
    host: 'test',
    pools: ['transfer', 'process'],
    sandboxLevel: 2,
    catalogVersion,
  })
})
afterAll(() => shop[Symbol.asyncDispose]())

const three = [0, 1, 2].map((n) => ({ ...someFile, n, key: `000000/x/1/${n}`, format: n === 1 ? 'pdf' : 'jpg' }))
const image = { ...someFile, filename: 'preview.webp', format: 'webp', size: 500, key: '000000/p/1/0' }

/** A completed task with three files. */
async function source(caller: Caller): Promise<ObjectId> {
  const { taskId, ...fence } = await shop.start(caller, workerId)
  await shop.desk.complete({ taskId, ...fence }, { files: three, warnings: [] })
  return taskId
}

const payload = { output_format: 'webp', options: { width: 512, height: 512, page: 1 } }

function preview(caller: Caller, taskId: ObjectId, { file = 1, page = 1 } = {}) {
  return shop.orchestrator.createPreview(caller, { shown: { taskId, file, page }, format: 'pdf', payload })
}

async function claim(taskId: ObjectId) {
  const claimed = await shop.desk.claim({ taskId, attempt: 1, workerId })
  if (!claimed) throw new Error('the preview was not claimed')
  return claimed
}

async function make(taskId: ObjectId): Promise<void> {
  const { fence, standing } = await claim(taskId)
  expect(await shop.desk.complete(fence, { files: [image], warnings: [], engineMs: 5_000 }, standing)).toBe('written')
}

async function countEvents(taskId: ObjectId): Promise<number> {
  const { rows } = await shop.database.pool.query(`select from events where subject_id = $1`, [bytes(taskId)])
  return rows.length
}

describe('a preview', () => {
  it('is made once, however many requests ask for it at the same time [D-http-79]', async () => {
    const caller = await shop.addOwner()
    const taskId = await source(caller)
    const all = await Promise.all(Array.from({ length: 20 }, () => preview(caller, taskId)))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    const [first] = all
    await make(first?.id ?? '')
    expect(await preview(caller, taskId)).toMatchObject({ id: first?.id, status: 'completed', files: [{ size: 500 }] })
    const others = [await preview(caller, taskId, { page: 2 }), await preview(caller, taskId, { file: 0 })]
    expect(new Set([first?.id, ...others.map(({ id }) => id)]).size).toBe(3)
    expect(shop.queued.filter(({ entry }) => entry.task === first?.id)).toHaveLength(1)
  })

  it('works on its file alone, with the engines for it [D-http-79]', async () => {
    const caller = await shop.addOwner()
    const { id } = await preview(caller, await source(caller))
    const { inputs, task, needs } = await claim(id)
    expect(inputs.flatMap(({ files }) => files.map(({ n }) => n))).toEqual([1])
    expect(task).toMatchObject({ operation: 'thumbnail', payload })
    expect(needs).toBe('pdf')
  })

  it.each([false, true])('is in no list, and causes no events (with webhooks: %s) [D-http-82]', async (hasWebhooks) => {
    const caller = await shop.addOwner()
    await shop.database.pool.query(`update owners set has_webhooks = $2 where id = $1`, [
      bytes(caller.ownerId),
      hasWebhooks,
    ])
    const taskId = await source(caller)
    const told = await countEvents(taskId)
    const { id } = await preview(caller, taskId)
    await make(id)
    const [now, ownerId] = [shop.clock.now(), caller.ownerId]
    const { docs } = await listTasks(shop.database.pool, { ownerId, now, limit: 10, offset: 0 })
    expect(docs.map((task) => task.id)).toEqual([taskId])
    expect(await findTask(shop.database.pool, { ownerId, id, now })).toBeUndefined()
    expect(await findFile(shop.database.pool, { ownerId, taskId: id, file: 0, now })).toBeUndefined()
    expect([await countEvents(id), await countEvents(taskId)]).toEqual([0, told])
    await expect(shop.orchestrator.cancelTask(caller, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(shop.orchestrator.deleteTask(caller, id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('uses no minutes, and runs without any left [D-http-82]', async () => {
    const caller = await shop.addOwner()
    const taskId = await source(caller)
    await updatePlan(shop.database.pool, caller.ownerId, { minutesPerMonth: 0, minutesPerTask: 1 })
    const [made, failed] = [await preview(caller, taskId), await preview(caller, taskId, { page: 2 })]
    await make(made.id)
    await shop.desk.fail({ ...(await claim(failed.id)), engineMs: 3_000 }, failure('input_damaged'))
    expect((await updatePlan(shop.database.pool, caller.ownerId, {}))?.usedMs).toBe(0)
    const days = { firstDay: '2000-01-01', lastDay: '2999-12-31' }
    const { completed, failed: failures } = await sumUsage(shop.database.pool, { ownerId: caller.ownerId, ...days })
    expect([completed, failures]).toEqual([1, 0])
    expect(await preview(caller, taskId, { page: 2 })).toMatchObject({ id: failed.id, status: 'failed' })
  })

  it('expires with the file it shows [D-http-81]', async () => {
    const caller = await shop.addOwner()
    const taskId = await source(caller)
    await shop.database.pool.query(`update tasks set created_at = created_at - interval '3 hours' where id = $1`, [
      bytes(taskId),
    ])
    const { id } = await preview(caller, taskId)
    await make(id)
    const made = await findTaskById(shop.database.pool, id)
    expect(made?.files[0]?.expiresAt).toEqual(filesExpireAt(createdAtOf(taskId)))
  })

  it('is not made once the file has expired', async () => {
    const caller = await shop.addOwner()
    const taskId = await source(caller)
    await shop.database.pool.query(`update tasks set created_at = created_at - interval '4 hours' where id = $1`, [
      bytes(taskId),
    ])
    await expect(preview(caller, taskId)).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each(['made', 'being made', 'waiting'])('is deleted with the file it shows: %s [D-http-81]', async (state) => {
    const caller = await shop.addOwner(1)
    const [taskId, other] = [await source(caller), await source(caller)]
    const kept = await preview(caller, other)
    await make(kept.id)
    if (state === 'waiting') await shop.start(caller, workerId)
    const { id } = await preview(caller, taskId)
    if (state === 'made') await make(id)
    const running = state === 'being made' ? await claim(id) : undefined
    const keys = await shop.orchestrator.deleteTask(caller, taskId)
    expect(keys).toEqual([...three.map(({ key }) => key), ...(state === 'made' ? [image.key] : [])])
    const gone = await findTaskById(shop.database.pool, id)
    expect(gone).toMatchObject({ status: 'deleted', payload: {} })
    expect(gone?.files.every(({ deletedAt }) => deletedAt !== null)).toBe(true)
    expect(await countEvents(id)).toBe(0)
    expect((await findTaskById(shop.database.pool, kept.id))?.status).toBe('completed')
    if (running) expect(await shop.desk.complete(running.fence, { files: [image], warnings: [] })).toBe('refused')
    await expect(preview(caller, taskId)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is deleted with the job whose file it shows [D-http-81]', async () => {
    const caller = await shop.addOwner()
    const id = shop.ids.next(shop.clock.now())
    const task = { ...shop.newTask(), id: shop.ids.next(createdAtOf(id)), name: 'a' }
    await shop.orchestrator.createJob(caller, { id, tag: null, tasks: [task] })
    const fence = { taskId: task.id, attempt: 1, workerId }
    await shop.desk.claim(fence)
    await shop.desk.complete(fence, { files: three, warnings: [] })
    const shown = await preview(caller, task.id)
    await make(shown.id)
    expect(await shop.orchestrator.deleteJob(caller, id)).toContain(image.key)
    expect((await findTaskById(shop.database.pool, shown.id))?.status).toBe('deleted')
  })

  it('is deleted with a closed account [D-http-81]', async () => {
    const caller = await shop.addOwner()
    const { id } = await preview(caller, await source(caller))
    await make(id)
    await shop.database.pool.query(`insert into closed_accounts (owner_id) values ($1)`, [bytes(caller.ownerId)])
    expect(await shop.caretaker.deleteTasksOfClosed()).toBe(1)
    expect((await findTaskById(shop.database.pool, id))?.status).toBe('deleted')
    expect(await shop.caretaker.deleteTasksOfClosed()).toBe(0)
  })

  it('is queued again if the process that created it died before it could queue it, and if its worker dies', async () => {
    const caller = await shop.addOwner()
    const { id } = await preview(caller, await source(caller))
    shop.queued.length = 0
    await shop.database.pool.query(`update tasks set updated_at = now() - interval '1 minute' where id = $1`, [
      bytes(id),
    ])
    await shop.caretaker.requeueUnclaimed()
    expect(shop.queued.map(({ entry }) => entry.task)).toContain(id)
    await shop.desk.fail({ ...firstAttempt((await claim(id)).fence) }, failure('engine_crashed'))
    expect(await findTaskById(shop.database.pool, id)).toMatchObject({ status: 'processing', attempt: 2 })
  })

  it('is claimed only by workers that support previews', async () => {
    const caller = await shop.addOwner()
    const { id } = await preview(caller, await source(caller))
    const older = await shop.addWorker()
    expect(await shop.desk.claim({ taskId: id, attempt: 1, workerId: older })).toBeUndefined()
    await make(id)
  })
})

describe('the previews of an owner', () => {
  it(`are at most ${requestLimits.previewsAtOnce} at the same time`, async () => {
    const caller = await shop.addOwner()
    const taskId = await source(caller)
    const pages = Array.from({ length: 10 }, (_, i) => i + 1)
    const answers = await Promise.allSettled(pages.map((page) => preview(caller, taskId, { page })))
    const begun = answers.filter(({ status }) => status === 'fulfilled')
    expect(begun).toHaveLength(requestLimits.previewsAtOnce)
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'rate_limited' })
    }
    const page = answers.findIndex(({ status }) => status === 'fulfilled') + 1
    await make((await preview(caller, taskId, { page })).id)
    await expect(preview(caller, taskId, { page: 11 })).resolves.toMatchObject({ status: 'created' })
    await expect(preview(caller, taskId, { page: 12 })).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(preview(await shop.addOwner(), taskId, { page: 12 })).rejects.toMatchObject({ code: 'not_found' })
  })

  it(`are at most ${requestLimits.previewsPerOwner} until their files expire`, async () => {
    const caller = await shop.addOwner()
    const taskId = await source(caller)
    await shop.database.pool.query(
      `insert into previews (task_id, file, page, preview_id, owner_id, created_at)
       select $1, 0, n, $1, $2, $3 from generate_series(1, $4) n`,
      [bytes(taskId), bytes(caller.ownerId), shop.clock.now(), requestLimits.previewsPerOwner],
    )
    await expect(preview(caller, taskId)).rejects.toMatchObject({ code: 'rate_limited' })
    await shop.database.pool.query(`update previews set created_at = $2 where task_id = $1 and page = 1`, [
      bytes(taskId),
      new Date(shop.clock.now().getTime() - 4 * 3_600_000),
    ])
    await expect(preview(caller, taskId)).resolves.toMatchObject({ status: 'created' })
  })
})
