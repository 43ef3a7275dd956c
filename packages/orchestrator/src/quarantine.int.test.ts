import { bytes, dropExpiredPartitions, ensurePartitions, findTaskById } from '@lathe/database'
import { failure, failures, type ObjectId } from '@lathe/domain'
import type { Operation } from '@lathe/operations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop({ slots: 1000 })
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

const crash = failure('engine_crashed', { detail: 'signal 11' })
let contents = 0
const newContent = () => (contents++).toString(16).padStart(64, '0')

/** A completed import of a file with this content. */
async function imported(caller: Caller, sha256: string): Promise<ObjectId> {
  const { taskId, ...rest } = await shop.start(caller, workerId)
  await shop.desk.complete({ taskId, ...rest }, { files: [{ ...someFile, sha256 }], warnings: [] })
  return taskId
}

async function created(caller: Caller, sha256: string, operation: Operation = 'convert'): Promise<ObjectId> {
  const task = shop.newTask(operation, [await imported(caller, sha256)])
  await shop.orchestrator.createTask(caller, task)
  return task.id
}

async function claim(taskId: ObjectId, attempt = 1) {
  await shop.database.pool.query('update tasks set not_before = null where id = $1', [bytes(taskId)])
  return shop.desk.claim({ taskId, attempt, workerId })
}

async function crashed(taskId: ObjectId, attempt = 1): Promise<void> {
  const claimed = await claim(taskId, attempt)
  if (!claimed) throw new Error('the task was not claimed')
  expect(await shop.desk.fail(claimed, crash)).toBe('written')
}

async function endOf(taskId: ObjectId) {
  const task = await findTaskById(shop.database.pool, taskId)
  return { status: task?.status, reason: task?.reason, msg: task?.msg }
}

const quarantined = { status: 'failed', reason: 'input_quarantined', msg: failures.input_quarantined.text }

describe('content that stops engines', () => {
  it('is quarantined with the second one: its task ends, and a new task ends as soon as it is claimed [D-state-35, L-crashes]', async () => {
    const caller = await shop.addOwner()
    const content = newContent()
    const first = await created(caller, content)
    await crashed(first)
    expect((await endOf(first)).status).toBe('processing')
    await crashed(first, 2)
    expect(await endOf(first)).toEqual(quarantined)
    const { rows } = await shop.database.pool.query('select detail from tasks where id = $1', [bytes(first)])
    expect(rows).toEqual([{ detail: 'signal 11' }])
    const next = await created(caller, content)
    expect(await claim(next)).toBeUndefined()
    expect(await endOf(next)).toEqual(quarantined)
  })

  it('is counted over all tasks that work on it, also while they run side by side', async () => {
    const caller = await shop.addOwner()
    const content = newContent()
    const tasks = [await created(caller, content), await created(caller, content)]
    const claims = await Promise.all(tasks.map((id) => claim(id)))
    // Neither claim knew of the other's crash, so each task has another attempt; neither attempt reaches an engine.
    await Promise.all(claims.map((claimed) => claimed && shop.desk.fail(claimed, crash)))
    for (const id of tasks) {
      expect((await endOf(id)).status).toBe('processing')
      expect(await claim(id, 2)).toBeUndefined()
      expect(await endOf(id)).toEqual(quarantined)
    }
  })

  it('stays free for other owners, other operations and other contents [D-state-35]', async () => {
    const [caller, other] = [await shop.addOwner(), await shop.addOwner()]
    const content = newContent()
    const first = await created(caller, content)
    await crashed(first)
    await crashed(first, 2)
    expect(await claim(await created(caller, content, 'compress'))).toBeDefined()
    expect(await claim(await created(caller, newContent()))).toBeDefined()
    expect(await claim(await created(other, content))).toBeDefined()
    expect(await claim(await created(caller, content))).toBeUndefined()
  })

  it('is not blamed for a crash that is reported twice, or by a worker that had lost the task', async () => {
    const caller = await shop.addOwner()
    const content = newContent()
    const task = await created(caller, content)
    const claimed = await claim(task)
    if (!claimed) throw new Error('the task was not claimed')
    expect(await shop.desk.fail(claimed, crash)).toBe('written')
    for (let i = 0; i < 3; i += 1) expect(await shop.desk.fail(claimed, crash)).toBe('refused')
    expect((await claim(task, 2))?.engineInput?.crashes).toBe(1)
  })

  it('is not blamed for other failures', async () => {
    const caller = await shop.addOwner()
    const content = newContent()
    const task = await created(caller, content)
    for (const attempt of [1, 2]) {
      const claimed = await claim(task, attempt)
      if (claimed) await shop.desk.fail(claimed, failure('internal'))
    }
    expect((await claim(task, 3))?.engineInput?.crashes).toBe(0)
  })

  it('fails all tasks that wait for its task', async () => {
    const caller = await shop.addOwner()
    const content = newContent()
    const first = await created(caller, content)
    await crashed(first)
    await crashed(first, 2)
    const next = await created(caller, content)
    const child = shop.newTask('export/url', [next])
    await shop.orchestrator.createTask(caller, child)
    await claim(next)
    expect(await endOf(child.id)).toMatchObject({ status: 'failed', reason: 'input_failed' })
  })

  it('is released 24 hours after the last crash, also with midnight between the two [D-state-35]', async () => {
    const caller = await shop.addOwner()
    const content = newContent()
    const untilMidnight = 86_400_000 - (shop.clock.now().getTime() % 86_400_000)
    await ensurePartitions(shop.database.pool, new Date(shop.clock.now().getTime() + untilMidnight))
    shop.clock.advance(untilMidnight - 600_000)
    const first = await created(caller, content)
    await crashed(first)
    shop.clock.advance(1_200_000)
    await crashed(first, 2)
    expect(await endOf(first)).toEqual(quarantined)
    // This checks the count, not the tasks: task records are not kept longer than this.
    shop.clock.advance(86_400_000 - 1)
    await ensurePartitions(shop.database.pool, shop.clock.now())
    expect(await claim(await created(caller, content))).toBeUndefined()
    shop.clock.advance(1)
    expect((await claim(await created(caller, content)))?.engineInput?.crashes).toBe(0)
    shop.clock.advance(2 * 86_400_000)
    const { dropped } = await shop.database.withConnection((one) => dropExpiredPartitions(one, shop.clock.now()))
    expect(dropped.some((name) => name.startsWith('crashed_inputs_p'))).toBe(true)
  })
})
