import { bytes } from '@lathe/database'
import { failure, type ObjectId } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createOrchestrator, type Orchestrator } from './orchestrator.ts'
import { createWorkshop, firstAttempt, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
let orchestrator: Orchestrator
beforeAll(async () => {
  shop = await createWorkshop()
  workerId = await shop.addWorker()
  orchestrator = createOrchestrator({ ...shop.context, limits: { openTasksPerOwner: 3 } })
})
afterAll(() => shop[Symbol.asyncDispose]())

async function openTasksOf({ ownerId }: Caller): Promise<{ counted: number; open: number }> {
  const { rows } = await shop.database.pool.query(
    `select open_tasks as counted, (select count(*)::int from tasks t
       where t.owner_id = o.id and t.status in ('created', 'processing')) as open
       from owners o where id = $1`,
    [bytes(ownerId)],
  )
  return rows[0]
}

function jobOf(count: number) {
  const tasks = Array.from({ length: count }, (_, n) => ({ ...shop.newTask(), name: `t${n}` }))
  return { id: shop.ids.next(shop.clock.now()), tag: null, tasks }
}

const end = { files: [someFile], warnings: [] }

describe('S9: open tasks of one owner', () => {
  it('are counted as they are created and end, whichever way', async () => {
    const caller = await shop.addOwner()
    const tasks = [shop.newTask(), shop.newTask(), shop.newTask('import/upload')]
    for (const task of tasks) await orchestrator.createTask(caller, task)
    expect(await openTasksOf(caller)).toEqual({ counted: 3, open: 3 })
    const [first, second, upload] = tasks.map(({ id }) => ({ taskId: id, attempt: 1, workerId }))
    if (!first || !second || !upload) throw new Error('three tasks were made')
    const claim = await shop.desk.claim(first)
    await shop.desk.complete(first, end, claim?.standing)
    expect(await openTasksOf(caller)).toEqual({ counted: 2, open: 2 })
    await shop.desk.claim(second)
    await shop.desk.fail(firstAttempt(second), failure('input_damaged'))
    expect(await openTasksOf(caller)).toEqual({ counted: 1, open: 1 })
    await orchestrator.cancelTask(caller, upload.taskId)
    expect(await openTasksOf(caller)).toEqual({ counted: 0, open: 0 })
    for (const { id } of tasks) await orchestrator.deleteTask(caller, id)
    expect(await openTasksOf(caller)).toEqual({ counted: 0, open: 0 })
  })

  it('are refused over the limit, alone and in jobs, and accepted again when some have ended', async () => {
    const caller = await shop.addOwner()
    const job = jobOf(2)
    await orchestrator.createJob(caller, job)
    await expect(orchestrator.createJob(caller, jobOf(2))).rejects.toThrow(
      /2 of your tasks have not ended, and at most 3/,
    )
    await orchestrator.createTask(caller, shop.newTask())
    await expect(orchestrator.createTask(caller, shop.newTask())).rejects.toThrow(/at most 3 may be open at once/)
    const counted = await shop.context.metrics.registry.getSingleMetricAsString('lathe_admissions_refused_total')
    expect(counted).toContain('lathe_admissions_refused_total{reason="open_tasks"}')
    await expect(orchestrator.createTask(caller, shop.newTask('import/upload'))).rejects.toThrow(/at most 3/)
    expect(await openTasksOf(caller)).toEqual({ counted: 3, open: 3 })
    await orchestrator.deleteJob(caller, job.id)
    await orchestrator.createTask(caller, shop.newTask())
    expect(await openTasksOf(caller)).toEqual({ counted: 2, open: 2 })
  })
})

describe('open tasks of one owner, three', () => {
  it.each([
    ['one below', 2],
    ['the limit', 3],
    ['one above', 4],
  ])('%s [L-open]', async (_, count) => {
    const caller = await shop.addOwner()
    const creating = orchestrator.createJob(caller, jobOf(count))
    if (count <= 3) expect((await creating).kind).toBe('fresh')
    else await expect(creating).rejects.toThrow(/at most 3 may be open/)
    expect((await openTasksOf(caller)).open).toBe(count <= 3 ? count : 0)
  })
})

describe('tasks that wait for one task, three', () => {
  const most = 3

  function waitingFor(input: ObjectId, count: number) {
    // A task that names its input twice waits for it once.
    const tasks = Array.from({ length: count }, (_, n) => ({ ...shop.newTask('merge', [input, input]), name: `t${n}` }))
    return { id: shop.ids.next(shop.clock.now()), tag: null, tasks }
  }

  async function setUp() {
    const caller = await shop.addOwner()
    const limited = createOrchestrator({ ...shop.context, limits: { dependantsPerTask: most } })
    const input = shop.newTask('import/upload')
    await limited.createTask(caller, input)
    return { caller, limited, input: input.id }
  }

  it.each([
    ['one below', 2],
    ['the limit', 3],
    ['one above', 4],
  ])('%s [L-dependants]', async (_, count) => {
    const { caller, limited, input } = await setUp()
    const creating = limited.createJob(caller, waitingFor(input, count))
    if (count <= most) expect((await creating).kind).toBe('fresh')
    else await expect(creating).rejects.toThrow(/3 tasks wait for task .*, and at most 3 may/)
  })

  it('S9: may be created one by one up to the limit, and without a limit after its end', async () => {
    const { caller, limited, input } = await setUp()
    const more = () => limited.createTask(caller, shop.newTask('convert', [input]))
    for (let n = 0; n < most; n += 1) await more()
    await expect(more()).rejects.toThrow(/3 tasks wait for task .*, and at most 3 may/)
    await expect(limited.createJob(caller, waitingFor(input, 1))).rejects.toThrow(/at most 3 may/)
    const counted = await shop.context.metrics.registry.getSingleMetricAsString('lathe_admissions_refused_total')
    expect(counted).toContain('lathe_admissions_refused_total{reason="dependants"}')
    await limited.completeUpload(input, someFile)
    await more()
  })
})
