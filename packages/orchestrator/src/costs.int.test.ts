import type { ObjectId } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createOrchestrator, createWorkerDesk } from './orchestrator.ts'
import type { NewTask } from './plan-creation.ts'
import { countCosts } from './testing/count-costs.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop()
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

const times = { queueMs: 1, fetchMs: 2, engineMs: 3, storeMs: 4 }
const outcome = { files: [someFile], warnings: [], times }

function counting() {
  const { counted, costs } = countCosts(shop.database)
  const context = { ...shop.context, database: counted }
  return { desk: createWorkerDesk(context), orchestrator: createOrchestrator(context), costs }
}

/** Processes the next entry of the queue, as a worker does. */
async function work(desk: Workshop['desk']): Promise<void> {
  const next = shop.queued.shift()
  if (!next) throw new Error('nothing was queued')
  const { task: taskId, attempt, ...known } = next.entry
  const fence = { taskId, attempt, workerId }
  const claim = await desk.claim(fence, known)
  expect(await desk.complete(fence, outcome, claim?.standing)).toBe('written')
}

async function upload(caller: Caller): Promise<NewTask> {
  const task = shop.newTask('import/upload')
  await shop.orchestrator.createTask(caller, task)
  await shop.orchestrator.completeUpload(task.id, someFile)
  return task
}

// Each budget is the current cost: a change that makes something more expensive fails here.
describe('from its creation to its completion', () => {
  it('a conversion of an uploaded file costs 8 statements, 3 commits and 3 round trips [D-shape-21]', async () => {
    const caller = await shop.addOwner()
    const input = await upload(caller)
    const { desk, orchestrator, costs } = counting()
    await orchestrator.createTask(caller, shop.newTask('convert', [input.id]))
    await work(desk)
    expect(costs()).toEqual({ statements: 8, commits: 3, roundTrips: 3 })
  })

  it('an import costs 6 statements, 3 commits and 3 round trips', async () => {
    const { desk, orchestrator, costs } = counting()
    await orchestrator.createTask(await shop.addOwner(), shop.newTask('import/url'))
    await work(desk)
    expect(costs()).toEqual({ statements: 6, commits: 3, roundTrips: 3 })
  })

  it('an upload costs 7 statements, 2 commits and 3 round trips', async () => {
    const caller = await shop.addOwner()
    const { orchestrator, costs } = counting()
    const task = shop.newTask('import/upload')
    await orchestrator.createTask(caller, task)
    await orchestrator.completeUpload(task.id, someFile, { ownerId: caller.ownerId, isLone: true })
    expect(costs()).toEqual({ statements: 7, commits: 2, roundTrips: 3 })
  })

  it('a job of import, conversion and export costs 51 statements, 7 commits and 20 round trips [D-http-73]', async () => {
    const caller = await shop.addOwner()
    const { desk, orchestrator, costs } = counting()
    const from = (name: string) => [{ kind: 'sibling' as const, name }]
    const tasks = [
      { ...shop.newTask('import/url'), name: 'in' },
      { ...shop.newTask('convert'), name: 'to', inputs: from('in') },
      { ...shop.newTask('export/url'), name: 'out', inputs: from('to') },
    ]
    await orchestrator.createJob(caller, { id: shop.ids.next(shop.clock.now()), tag: null, tasks })
    for (const _ of tasks) await work(desk)
    expect(costs()).toEqual({ statements: 51, commits: 7, roundTrips: 20 })
  })
})
