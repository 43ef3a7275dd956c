import { bytes, type Fence, findTaskById } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import type { Work } from '@lathe/queue'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await createWorkshop({ slots: 1000 })
})
afterAll(() => shop[Symbol.asyncDispose]())

const engines = 4
const done = { files: [], warnings: [] }

async function createConversions(caller: Caller, count: number): Promise<readonly ObjectId[]> {
  const source = await shop.start(caller, await shop.addWorker())
  await shop.desk.complete(source, { files: [someFile], warnings: [] })
  const tasks = Array.from({ length: count }, () => shop.newTask('convert', [source.taskId]))
  for (const task of tasks) await shop.orchestrator.createTask(caller, task)
  return tasks.map(({ id }) => id)
}

/** What a worker takes from the queue at once: as many entries as it has engines, or one that must run alone. */
function takeEntries(queue: Work[]): readonly Work[] {
  const [first] = queue
  if (first?.lane === 'alone') return queue.splice(0, 1)
  const beside = queue.filter(({ lane }) => lane !== 'alone').slice(0, engines)
  for (const work of beside) queue.splice(queue.indexOf(work), 1)
  return beside
}

/** Lets one worker after another process the queue; workers that get a killer die with all their tasks. */
async function workOff(killers: ReadonlySet<ObjectId>): Promise<number> {
  let deaths = 0
  for (;;) {
    const entries = takeEntries(shop.queued)
    if (entries.length === 0) return deaths
    const workerId = await shop.addWorker()
    const fences: Fence[] = entries.map(({ entry }) => ({ taskId: entry.task, attempt: entry.attempt, workerId }))
    const claims = await Promise.all(fences.map((fence) => shop.desk.claim(fence)))
    const held = fences.filter((_, i) => claims[i])
    if (held.some(({ taskId }) => killers.has(taskId))) deaths += 1
    else for (const fence of held) await shop.desk.complete(fence, done)
    await shop.desk.leave(workerId)
    await shop.caretaker.recoverFromTheDead()
  }
}

async function reasonsOf(tasks: readonly ObjectId[]) {
  const found = await Promise.all(tasks.map((id) => findTaskById(shop.database.pool, id)))
  return found.map((task) => task?.reason ?? task?.status)
}

async function dieWith(workerId: ObjectId): Promise<void> {
  await shop.desk.leave(workerId)
  await shop.caretaker.recoverFromTheDead()
}

describe('the death of a worker', () => {
  it('R5: with four claims, twice, puts only the killer into quarantine', async () => {
    shop.queued.length = 0
    const tasks = await createConversions(await shop.addOwner(), 4)
    const [killer = tasks[0], ...innocent] = tasks
    shop.queued.splice(
      0,
      shop.queued.findIndex(({ entry }) => entry.task === killer),
    )
    const deaths = await workOff(new Set([killer as ObjectId]))
    expect(await reasonsOf([killer as ObjectId])).toEqual(['input_quarantined'])
    expect(await reasonsOf(innocent)).toEqual(innocent.map(() => 'completed'))
    expect(deaths).toBe(2)
  })

  it('R5: does not blame a task whose inputs were still being fetched', async () => {
    const [fetching, running] = (await createConversions(await shop.addOwner(), 2)) as [ObjectId, ObjectId]
    for (const attempt of [1, 2, 3]) {
      const workerId = await shop.addWorker()
      const fence = { taskId: fetching, attempt, workerId }
      expect(await shop.desk.claim(fence)).toBeDefined()
      await shop.desk.noteEngines(workerId, [{ fence, engineMs: null }])
      await dieWith(workerId)
    }
    const { rows } = await shop.database.pool.query('select lane, worker_deaths as deaths from tasks where id = $1', [
      bytes(fetching),
    ])
    expect(rows).toEqual([{ lane: 'quick', deaths: 0 }])
    expect(await reasonsOf([running])).toEqual(['created'])
  })

  it('R5: blames a task whose engine started after its worker had reported that none was running', async () => {
    const [task] = (await createConversions(await shop.addOwner(), 1)) as [ObjectId]
    const workerId = await shop.addWorker()
    const fence = { taskId: task, attempt: 1, workerId }
    await shop.desk.claim(fence)
    await shop.desk.noteEngines(workerId, [{ fence, engineMs: null }])
    expect(await shop.desk.noteEngines(workerId, [{ fence, engineMs: 0 }])).toEqual([task])
    shop.queued.length = 0
    await dieWith(workerId)
    expect(shop.queued).toMatchObject([{ lane: 'alone', entry: { task, attempt: 2 } }])
  })
})
