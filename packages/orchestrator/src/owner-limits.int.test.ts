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

  it('are refused beyond the limit, alone and in jobs, and taken again when some have ended', async () => {
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
  ])('%s', async (_, count) => {
    const caller = await shop.addOwner()
    const creating = orchestrator.createJob(caller, jobOf(count))
    if (count <= 3) expect((await creating).kind).toBe('fresh')
    else await expect(creating).rejects.toThrow(/at most 3 may be open/)
    expect((await openTasksOf(caller)).open).toBe(count <= 3 ? count : 0)
  })
})

describe('S9: tasks that wait for one task', () => {
  it('are at most 1,000, and after its end as many as anyone likes', async () => {
    const caller = await shop.addOwner()
    const input = shop.newTask('import/upload')
    await shop.orchestrator.createTask(caller, input)
    await shop.database.pool.query(
      `insert into task_inputs (parent_id, child_id)
       select $1, decode(lpad(to_hex(n), 24, '0'), 'hex') from generate_series(1, 999) n`,
      [bytes(input.id)],
    )
    const last = shop.newTask('convert', [input.id])
    await shop.orchestrator.createTask(caller, last)
    const more = () => shop.orchestrator.createTask(caller, shop.newTask('convert', [input.id]))
    await expect(more()).rejects.toThrow(/1000 tasks wait for task/)
    await shop.database.pool.query('delete from task_inputs where parent_id = $1 and child_id <> $2', [
      bytes(input.id),
      bytes(last.id),
    ])
    await shop.orchestrator.completeUpload(input.id, someFile)
    await more()
  })
})
