import { bytes, findMiscounted } from '@lathe/database'
import { firstId, type ObjectId } from '@lathe/domain'
import { amount } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { inParallel } from './testing/in-parallel.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await createWorkshop({ slots: 4, connections: 24 })
})
afterAll(() => shop[Symbol.asyncDispose]())

async function slotsHeld(): Promise<
  { owner: ObjectId; held: number; counted: number; backlog: number; ready: number; open: number }[]
> {
  const { rows } = await shop.database.pool.query(
    `select o.id as owner, o.slots_used as counted, o.backlog, o.open_tasks as open,
            count(*) filter (where t.slot)::int as held,
            count(*) filter (where t.status = 'created' and t.pending = 0 and not t.slot)::int as ready
       from owners o left join tasks t on t.owner_id = o.id group by o.id`,
  )
  return rows
}

async function createAll(caller: Caller, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const first = { ...shop.newTask(), name: 'first' }
    const second = { ...shop.newTask('convert'), name: 'second', inputs: [{ kind: 'sibling' as const, name: 'first' }] }
    if (i % 4 === 1) {
      await shop.orchestrator.createTask(caller, first)
      continue
    }
    const tasks = i % 2 === 0 ? [first, second] : [first]
    await shop.orchestrator.createJob(caller, { id: shop.ids.next(shop.clock.now()), tag: null, tasks })
  }
}

const jobsEach = amount({ whole: 100, sample: 30 })
// Every other job has two tasks; one in four is a task outside any job.
const tasks = 20 * jobsEach * 1.5

describe('admission', () => {
  it(`never exceeds the slots of an owner, over ${tasks} tasks of 20 owners, and loses no task`, {
    timeout: 240_000,
  }, async () => {
    const owners = await Promise.all(Array.from({ length: 20 }, () => shop.addOwner()))
    const workerId = await shop.addWorker()
    let [over, miscounted] = [0, 0]
    let done = false
    const watch = (async () => {
      while (!done) {
        for (const { held } of await slotsHeld()) if (held > 4) over += 1
        miscounted += (await findMiscounted(shop.database.pool, { after: firstId, limit: 1_000 })).length
      }
    })()
    const creating = inParallel(owners.length, 10, (i) => createAll(owners[i] as Caller, jobsEach))
    // Workers take what is queued; every fifth task is canceled instead.
    let ended = 0
    await Promise.all([
      creating,
      inParallel(8, 8, async () => {
        while (ended < tasks) {
          const work = shop.queued.shift()
          if (!work) {
            await new Promise((resolve) => setTimeout(resolve, 2))
            continue
          }
          const fence = { taskId: work.entry.task, attempt: work.entry.attempt, workerId }
          const claim = await shop.desk.claim(fence)
          if (!claim) continue
          expect(await shop.desk.complete(fence, { files: [], warnings: [] }, claim.standing)).toBe('written')
          ended += 1
        }
      }),
    ])
    done = true
    await watch
    expect(over).toBe(0)
    // What a recount of any moment would have changed.
    expect(miscounted).toBe(0)
    expect(ended).toBe(tasks)
    for (const { counted, backlog, held, ready, open } of await slotsHeld()) {
      expect({ counted, backlog, held, ready, open }).toEqual({ counted: 0, backlog: 0, held: 0, ready: 0, open: 0 })
    }
  })

  it('fills slots again from the tasks themselves when the counters were wrong', async () => {
    const caller = await shop.addOwner(2)
    for (let i = 0; i < 3; i += 1) await shop.orchestrator.createTask(caller, shop.newTask())
    await shop.database.pool.query(`update tasks set slot = false where owner_id = $1`, [bytes(caller.ownerId)])
    await shop.database.pool.query(`update owners set slots_used = 0, backlog = 1 where id = $1`, [
      bytes(caller.ownerId),
    ])
    await shop.caretaker.admitBacklogs()
    const own = (await slotsHeld()).find(({ owner }) => owner === caller.ownerId)
    expect(own).toMatchObject({ held: 2, counted: 2, backlog: 1, ready: 1 })
  })
})

describe('the reconciler', () => {
  it('requeues tasks without an entry, and gives tasks of a dead worker to another', async () => {
    const caller = await shop.addOwner()
    const workerId = await shop.addWorker()
    const lost = shop.newTask()
    await shop.orchestrator.createTask(caller, lost)
    const held = await shop.start(caller, workerId)
    shop.queued.length = 0
    await shop.database.pool.query(`update tasks set updated_at = now() - interval '3 seconds' where id = $1`, [
      bytes(lost.id),
    ])
    await shop.database.pool.query(`update workers set heartbeat_at = now() - interval '10 seconds' where id = $1`, [
      bytes(workerId),
    ])
    await shop.caretaker.requeueUnclaimed()
    await shop.caretaker.recoverFromTheDead()
    expect(shop.queued.map(({ entry }) => [entry.task, entry.attempt])).toEqual([
      [lost.id, 1],
      [held.taskId, 2],
    ])
    expect(await shop.desk.beat(workerId, { claimed: [held], held: [held] })).toBeUndefined()
    expect(await shop.desk.complete(held, { files: [], warnings: [] })).toBe('refused')
  })

  /** Kills one worker with the task for each attempt. */
  async function loseWorkers(taskId: ObjectId, attempts: readonly number[]) {
    for (const attempt of attempts) {
      const workerId = await shop.addWorker()
      expect(await shop.desk.claim({ taskId, attempt, workerId })).toBeDefined()
      await shop.desk.leave(workerId)
      await shop.caretaker.recoverFromTheDead()
    }
    const { rows } = await shop.database.pool.query(`select status, reason from tasks where id = $1`, [bytes(taskId)])
    return rows[0]
  }

  it('never retries an input that killed two workers [D-state-06]', async () => {
    const caller = await shop.addOwner()
    const source = await shop.start(caller, await shop.addWorker())
    await shop.desk.complete(source, { files: [someFile], warnings: [] })
    const task = shop.newTask('convert', [source.taskId])
    await shop.orchestrator.createTask(caller, task)
    expect(await loseWorkers(task.id, [1, 2])).toEqual({ status: 'failed', reason: 'input_quarantined' })
  })

  it('does not blame transfers, and fails them later [D-state-06]', async () => {
    const task = shop.newTask('import/url')
    await shop.orchestrator.createTask(await shop.addOwner(), task)
    expect(await loseWorkers(task.id, [1, 2, 3, 4, 5, 6, 7, 8, 9])).toMatchObject({ status: 'processing' })
    expect(await loseWorkers(task.id, [10])).toEqual({ status: 'failed', reason: 'internal' })
  })
})

describe('the recount', () => {
  const leaks = [
    { slots_used: 4, backlog: 2, open_tasks: 6 },
    { slots_used: 0, backlog: 0, open_tasks: 10_000 },
    { slots_used: 0, backlog: 0, open_tasks: 0 },
    { slots_used: 1, backlog: 1, open_tasks: 2 },
  ]

  it.each(leaks)(
    'sets counters right that say $slots_used, $backlog and $open_tasks, in either direction',
    async (leak) => {
      const { pool } = shop.database
      const caller = await shop.addOwner(4)
      const other = await shop.addOwner(4)
      for (const owner of [caller, other]) {
        for (let n = 0; n < 5; n += 1) await shop.orchestrator.createTask(owner, shop.newTask())
      }
      await pool.query(`update owners set slots_used = $2, backlog = $3, open_tasks = $4 where id = $1`, [
        bytes(caller.ownerId),
        ...Object.values(leak),
      ])
      expect(await shop.caretaker.recountOwners()).toBe(1)
      const { rows } = await pool.query(`select slots_used, backlog, open_tasks from owners where id in ($1, $2)`, [
        bytes(caller.ownerId),
        bytes(other.ownerId),
      ])
      expect(rows).toEqual([rows[0], rows[0]])
      expect(rows[0]).toEqual({ slots_used: 4, backlog: 1, open_tasks: 5 })
      expect(await shop.caretaker.recountOwners()).toBe(0)
    },
  )

  it('gives the tasks of an owner their slots when its counters held those of tasks that are gone', async () => {
    const { pool } = shop.database
    const caller = await shop.addOwner(4)
    await pool.query(`update owners set slots_used = 4, open_tasks = 4 where id = $1`, [bytes(caller.ownerId)])
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    shop.queued.length = 0
    expect(await shop.caretaker.recountOwners()).toBe(1)
    expect(shop.queued.map(({ entry }) => entry.task)).toEqual([task.id])
  })
})
