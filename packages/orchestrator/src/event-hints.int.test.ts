import { findEventHeads } from '@lathe/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let caller: Caller
beforeAll(async () => {
  shop = await createWorkshop({ connections: 4 })
  caller = await shop.addOwner()
})
afterAll(() => shop[Symbol.asyncDispose]())

const outcome = { files: [someFile], warnings: [] }

/** Expects that the last hint for a subject matches the log. */
async function expectTold(subjectId: string): Promise<void> {
  const seq = (await findEventHeads(shop.database.pool, [subjectId])).get(subjectId)
  expect(seq).toBeGreaterThan(0)
  expect(shop.reported.at(-1)).toEqual({ subjectId, ownerId: caller.ownerId, seq })
}

async function claim(taskId: string) {
  const fence = { taskId, attempt: 1, workerId: await shop.addWorker() }
  await shop.desk.claim(fence)
  return fence
}

describe('hints about the log [D-event-12]', () => {
  it('follow every commit of a task outside a job: creation, claim and end', async () => {
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    await expectTold(task.id)
    const fence = await claim(task.id)
    await expectTold(task.id)
    await shop.desk.complete(fence, outcome)
    await expectTold(task.id)
    await shop.orchestrator.deleteTask(caller, task.id)
    await expectTold(task.id)
    expect(shop.reported.filter(({ subjectId }) => subjectId === task.id).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  it('name the job for events of its tasks', async () => {
    const task = { ...shop.newTask(), name: 'a' }
    const id = shop.ids.next(shop.clock.now())
    await shop.orchestrator.createJob(caller, { id, tag: null, tasks: [task] })
    await expectTold(id)
    const fence = await claim(task.id)
    await expectTold(id)
    await shop.desk.complete(fence, outcome)
    await expectTold(id)
    expect(shop.reported.some(({ subjectId }) => subjectId === task.id)).toBe(false)
  })
})
