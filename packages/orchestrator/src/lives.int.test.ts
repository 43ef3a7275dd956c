import { findJob, findTask, listTasks } from '@lathe/database'
import { failure, Problem } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, firstAttempt, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let caller: Caller
beforeAll(async () => {
  shop = await createWorkshop({ slots: 1000 })
  caller = await shop.addOwner()
})
afterAll(() => shop[Symbol.asyncDispose]())

const outcome = { files: [someFile], warnings: [] }
const show = (id: string) => findTask(shop.database.pool, { ownerId: caller.ownerId, id, now: shop.clock.now() })
const showJob = (id: string) => findJob(shop.database.pool, { ownerId: caller.ownerId, id, now: shop.clock.now() })

async function eventsOf(subject: string) {
  const { rows } = await shop.database.pool.query<{ seq: number; type: string }>(
    `select seq, type from events where subject_id = $1 order by seq`,
    [`\\x${subject}`],
  )
  return rows
}

/** A job a → b → c with an unrelated d. */
async function createChain() {
  const [a, b, c, d] = [shop.newTask(), shop.newTask('convert'), shop.newTask('export/url'), shop.newTask()]
  const job = {
    id: shop.ids.next(shop.clock.now()),
    tag: null,
    tasks: [
      { ...a, name: 'a' },
      { ...b, name: 'b', inputs: [{ kind: 'sibling' as const, name: 'a' }] },
      { ...c, name: 'c', inputs: [{ kind: 'sibling' as const, name: 'b' }] },
      { ...d, name: 'd' },
    ],
  }
  await shop.orchestrator.createJob(caller, job)
  return { job: job.id, a: a.id, b: b.id, c: c.id, d: d.id }
}

async function claim(taskId: string, attempt = 1) {
  const workerId = await shop.addWorker()
  const fence = { taskId, attempt, workerId }
  expect(await shop.desk.claim(fence)).toBeDefined()
  return fence
}

async function statuses(ids: Record<string, string>) {
  const found = await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, (await show(id))?.status]))
  return Object.fromEntries(found)
}

describe('a job', () => {
  it('goes from created through processing to completed as its tasks do, and emits each event once, in order [S-gen-14, S-job-03, D-state-01, D-state-11, D-event-02]', async () => {
    const { job, a, b, c, d } = await createChain()
    expect((await showJob(job))?.status).toBe('created')
    await shop.desk.complete(await claim(a), outcome)
    expect((await showJob(job))?.status).toBe('processing')
    await shop.desk.complete(await claim(d), outcome)
    await shop.desk.complete(await claim(b), outcome)
    await shop.desk.complete(await claim(c), outcome)
    const done = await showJob(job)
    expect(done?.status).toBe('completed')
    expect(done?.tasks.map(({ name, status }) => [name, status])).toEqual([
      ['a', 'completed'],
      ['b', 'completed'],
      ['c', 'completed'],
      ['d', 'completed'],
    ])
    const events = await eventsOf(job)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
    expect(events.map(({ type }) => type)).toEqual([
      'job.created',
      ...Array(4).fill('task.created'),
      'job.started',
      ...Array(4).fill(['task.started', 'task.completed']).flat(),
      'job.completed',
    ])
  })

  it('fails at once when a task fails, while branches that do not depend on it run on [S-err-18, D-state-13, D-state-15]', async () => {
    const { job, a, b, c, d } = await createChain()
    const fence = await claim(d)
    await shop.desk.fail(firstAttempt(await claim(a)), failure('input_damaged'))
    const failed = await showJob(job)
    expect([failed?.status, failed?.errorCode]).toEqual(['failed', 'task_failed'])
    expect(await statuses({ a, b, c, d })).toEqual({ a: 'failed', b: 'failed', c: 'failed', d: 'processing' })
    expect(await shop.desk.complete(fence, outcome)).toBe('written')
    expect((await showJob(job))?.status).toBe('failed')
    expect((await show(b))?.reason).toBe('input_failed')
  })

  it('is gone when deleted, and its tasks become tombstones [S-state-13, D-state-22, D-state-27]', async () => {
    const { job, a, d } = await createChain()
    await shop.desk.complete(await claim(a), outcome)
    const running = await claim(d)
    expect(await shop.orchestrator.deleteJob(caller, job)).toEqual([someFile.key])
    expect(await showJob(job)).toBeUndefined()
    expect(await show(a)).toBeUndefined()
    expect(await shop.desk.complete(running, outcome)).toBe('refused')
    expect(shop.canceled).toContain(d)
    const { docs } = await listTasks(shop.database.pool, {
      ownerId: caller.ownerId,
      now: shop.clock.now(),
      status: 'deleted',
      job,
      limit: 50,
      offset: 0,
    })
    expect(docs).toHaveLength(4)
    expect(docs.find(({ id }) => id === a)?.files[0]?.deletedAt).toBeInstanceOf(Date)
  })
})

describe('a task', () => {
  it('starts only after its inputs completed [S-gen-08]', async () => {
    const { a, b } = await createChain()
    const workerId = await shop.addWorker()
    expect(await shop.desk.claim({ taskId: b, attempt: 1, workerId })).toBeUndefined()
    await shop.desk.complete(await claim(a), outcome)
    const claimed = await shop.desk.claim({ taskId: b, attempt: 1, workerId })
    expect(claimed?.inputs.map(({ id }) => id)).toEqual([a])
  })

  it('is canceled once, and canceling it again changes nothing [S-state-07, S-state-12, S-err-20, D-state-14]', async () => {
    const { job, a, b } = await createChain()
    const fence = await claim(a)
    for (let i = 0; i < 2; i += 1) {
      const answer = await shop.orchestrator.cancelTask(caller, a)
      expect(answer.kind === 'fresh' && answer.record.status).toBe('canceled')
    }
    expect((await show(b))?.reason).toBe('input_canceled')
    expect((await showJob(job))?.errorCode).toBe('task_canceled')
    expect(await shop.desk.complete(fence, outcome)).toBe('refused')
    expect((await eventsOf(job)).filter(({ type }) => type === 'task.canceled')).toHaveLength(1)
  })

  it('that has ended cannot be canceled [D-state-20]', async () => {
    const { a } = await createChain()
    await shop.desk.complete(await claim(a), outcome)
    await expect(shop.orchestrator.cancelTask(caller, a)).rejects.toThrow(Problem)
  })

  it('fails with input_deleted when its input is deleted while it waits, and a job around it with task_deleted [S-state-10, S-err-14, S-err-19, D-state-26]', async () => {
    const { job, a, b } = await createChain()
    await shop.desk.complete(await claim(a), outcome)
    await shop.orchestrator.deleteTask(caller, a)
    const child = await show(b)
    expect([child?.status, child?.errorCode, child?.reason]).toEqual(['failed', 'user_deleted_task', 'input_deleted'])
    expect((await showJob(job))?.errorCode).toBe('task_deleted')
  })

  it('naming an input that has failed is accepted and fails [D-state-08, D-state-17]', async () => {
    const { a } = await createChain()
    await shop.desk.fail(firstAttempt(await claim(a)), failure('input_damaged'))
    const answer = await shop.orchestrator.createTask(caller, shop.newTask('convert', [a]))
    expect(answer.kind === 'fresh' && [answer.record.status, answer.record.reason]).toEqual(['failed', 'input_failed'])
  })

  it('naming an input that is unknown or belongs to somebody else is refused', async () => {
    const { a } = await createChain()
    const other = await shop.addOwner()
    await expect(shop.orchestrator.createTask(other, shop.newTask('convert', [a]))).rejects.toThrow('There is no task')
  })

  it('that would merge a single file is refused, and one whose files are not known yet is not', async () => {
    const [done, open, converting] = [shop.newTask(), shop.newTask(), shop.newTask('convert')]
    for (const task of [done, open]) await shop.orchestrator.createTask(caller, task)
    await shop.desk.complete(await claim(done.id), outcome)
    await shop.orchestrator.createTask(caller, {
      ...converting,
      inputs: [{ kind: 'task', id: done.id, path: 'input' }],
    })
    for (const { id } of [done, open]) {
      await expect(shop.orchestrator.createTask(caller, shop.newTask('merge', [id]))).rejects.toThrow('at least two')
    }
    const answer = await shop.orchestrator.createTask(caller, shop.newTask('merge', [converting.id]))
    expect(answer.kind).toBe('fresh')
  })

  it('is tried three times for a transient failure, without events [D-state-03, D-state-04, D-event-02]', async () => {
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    for (const attempt of [1, 2, 3]) {
      await shop.database.pool.query('update tasks set not_before = null where id = $1', [`\\x${task.id}`])
      const fence = { taskId: task.id, attempt, workerId: await shop.addWorker() }
      const claimed = await shop.desk.claim(fence)
      if (!claimed) throw new Error('the task was not claimed')
      expect(claimed.task.status).toBe('processing')
      expect(await shop.desk.fail(claimed, failure('source_unreachable'))).toBe('written')
    }
    expect((await show(task.id))?.status).toBe('failed')
    const types = (await eventsOf(task.id)).map(({ type }) => type)
    expect(types).toEqual(['task.created', 'task.started', 'task.failed'])
  })

  it('is not claimed before its back-off is over', async () => {
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    const fence = { taskId: task.id, attempt: 1, workerId: await shop.addWorker() }
    await shop.desk.claim(fence)
    await shop.desk.fail(firstAttempt(fence), failure('source_unreachable'))
    expect(await shop.desk.claim({ ...fence, attempt: 2 })).toBeUndefined()
    expect(shop.queued.at(-1)).toMatchObject({ entry: { task: task.id, attempt: 2 }, delayMs: 1_000 })
  })

  it('upload is processing from creation, takes one file, and refuses a second [D-state-02]', async () => {
    const task = shop.newTask('import/upload')
    const answer = await shop.orchestrator.createTask(caller, task)
    expect(answer.kind === 'fresh' && answer.record.status).toBe('processing')
    expect((await shop.orchestrator.completeUpload(task.id, someFile))?.status).toBe('completed')
    expect(await shop.orchestrator.completeUpload(task.id, someFile)).toBeUndefined()
  })
})

describe('time', () => {
  it('ends an upload that never arrived after an hour [S-err-12, D-state-33]', async () => {
    const task = shop.newTask('import/upload')
    await shop.orchestrator.createTask(caller, task)
    shop.clock.advance(3_599_000)
    await shop.caretaker.expireUploads(3_600_000)
    expect((await show(task.id))?.status).toBe('processing')
    shop.clock.advance(2_000)
    await shop.caretaker.expireUploads(3_600_000)
    expect((await show(task.id))?.errorCode).toBe('upload_timeout')
  })

  it('leaves an upload open while parts of it arrive, and ends it when they stop [D-op-83]', async () => {
    const task = shop.newTask('import/upload')
    await shop.orchestrator.createTask(caller, task)
    const expiresAt = new Date(shop.clock.now().getTime() + 14_400_000)
    const upload = { taskId: task.id, id: 'a', filename: 'a.bin', length: 10 }
    await shop.orchestrator.startResumable({ ...upload, ownerId: caller.ownerId, expiresAt })
    const movedNow = () => shop.database.pool.query('update resumable_uploads set moved_at = $1', [shop.clock.now()])
    shop.clock.advance(50_000)
    await movedNow()
    shop.clock.advance(50_000)
    await shop.caretaker.expireUploads(60_000)
    expect((await show(task.id))?.status).toBe('processing')
    shop.clock.advance(20_000)
    await shop.caretaker.expireUploads(60_000)
    expect((await show(task.id))?.errorCode).toBe('upload_timeout')
  })

  it('ends an upload that never arrived with upload_timeout, however late that is checked', async () => {
    const task = shop.newTask('import/upload')
    await shop.orchestrator.createTask(caller, task)
    shop.clock.advance(4 * 3_600_000 + 1_000)
    await shop.caretaker.expireOverdue()
    expect((await show(task.id))?.errorCode).toBe('upload_timeout')
  })

  it('ends with engine_timeout what is still running after 4 hours, and hides every record at 24 hours exactly [S-gen-19, S-err-13, S-lim-06, D-state-28, D-state-32]', async () => {
    const workerId = await shop.addWorker()
    const now = shop.clock.now()
    const { taskId } = await shop.start(caller, workerId)
    shop.clock.advance(4 * 3_600_000 + 1_000)
    await shop.caretaker.expireOverdue()
    expect((await show(taskId))?.errorCode).toBe('engine_timeout')
    shop.clock.advance(now.getTime() + 24 * 3_600_000 - 1 - shop.clock.now().getTime())
    expect((await show(taskId))?.id).toBe(taskId)
    shop.clock.advance(1)
    expect(await show(taskId)).toBeUndefined()
  })
})
