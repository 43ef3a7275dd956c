import { type Fence, findTaskById } from '@lathe/database'
import { failure, type ObjectId, Problem } from '@lathe/domain'
import { amount } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { inParallel } from './testing/in-parallel.ts'
import { createWorkshop, firstAttempt, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop({ slots: 1_000_000, connections: 24 })
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

const outcome = { files: [someFile], warnings: [] }
const births = amount({ whole: 10_000, sample: 800 })
const rounds = amount({ whole: 1_000, sample: 300 })
const minutes = (n: number) => n * 60_000

/** Running tasks of one owner, created a hundred at a time. */
async function startMany(caller: Caller, count: number): Promise<Fence[]> {
  const fences: Fence[] = []
  while (fences.length < count) {
    const tasks = Array.from({ length: Math.min(100, count - fences.length) }, (_, i) => ({
      ...shop.newTask(),
      name: `t${i}`,
    }))
    for (const task of tasks) {
      await shop.orchestrator.createTask(caller, task)
      fences.push({ taskId: task.id, attempt: 1, workerId })
    }
  }
  await inParallel(fences.length, 8, async (i) => {
    const fence = fences[i]
    if (fence) expect(await shop.desk.claim(fence)).toBeDefined()
  })
  return fences
}

/** Every other task is reported as lone, as its claim saw it: this may be outdated when its end is written. */
function eitherWay({ ownerId }: Caller, i: number) {
  return { ownerId, isLone: i % 2 === 0 }
}

async function countWhere(condition: string, ids: readonly ObjectId[]): Promise<number> {
  const { rows } = await shop.database.pool.query<{ n: number }>(
    `select count(*)::int as n from tasks where id = any($1::bytea[]) and ${condition}`,
    [ids.map((id) => `\\x${id}`)],
  )
  return rows[0]?.n ?? -1
}

describe('under concurrency', () => {
  it(`no child is forgotten when its input completes while it is being created, ${births} times`, {
    timeout: minutes(5),
  }, async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, () => shop.addOwner()))
    const children: ObjectId[] = []
    const perOwner = births / owners.length
    await Promise.all(
      owners.map(async (caller) => {
        const fences = await startMany(caller, perOwner)
        await inParallel(fences.length, 3, async (i) => {
          const fence = fences[i]
          if (!fence) return
          const child = shop.newTask('convert', [fence.taskId])
          children.push(child.id)
          await Promise.all([
            shop.desk.complete(fence, outcome, eitherWay(caller, i)),
            shop.orchestrator.createTask(caller, child),
          ])
        })
      }),
    )
    expect(children).toHaveLength(births)
    expect(await countWhere(`status = 'created' and pending = 0 and slot`, children)).toBe(births)
  })

  it(`a cancel and a completion of the same task have one winner, ${rounds} times [D-state-22]`, {
    timeout: minutes(2),
  }, async () => {
    const caller = await shop.addOwner()
    const fences = await startMany(caller, rounds)
    let canceled = 0
    await inParallel(fences.length, 8, async (i) => {
      const fence = fences[i]
      if (!fence) return
      const cancel = shop.orchestrator.cancelTask(caller, fence.taskId).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(Problem)
          return false
        },
      )
      const [end, won] = await Promise.all([shop.desk.complete(fence, outcome, eitherWay(caller, i)), cancel])
      expect(won).toBe(end === 'refused')
      if (won) canceled += 1
    })
    const ids = fences.map(({ taskId }) => taskId)
    expect(await countWhere(`status = 'canceled'`, ids)).toBe(canceled)
    expect(await countWhere(`status = 'completed'`, ids)).toBe(rounds - canceled)
  })

  it(`two siblings that finish at the same time wake their common child once and complete the job, ${rounds} times [D-state-12]`, {
    timeout: minutes(3),
  }, async () => {
    const callers = await Promise.all(Array.from({ length: 8 }, () => shop.addOwner()))
    await inParallel(rounds, 8, async (i) => {
      const caller = callers[i % callers.length]
      if (!caller) return
      const [a, b, c] = [shop.newTask(), shop.newTask(), shop.newTask('merge')]
      const inputs = ['a', 'b'].map((name) => ({ kind: 'sibling' as const, name }))
      const tasks = [
        { ...a, name: 'a' },
        { ...b, name: 'b' },
        { ...c, name: 'c', inputs },
      ]
      await shop.orchestrator.createJob(caller, { id: shop.ids.next(shop.clock.now()), tag: null, tasks })
      const fences = [a, b].map(({ id }) => ({ taskId: id, attempt: 1, workerId }))
      await Promise.all(fences.map((fence) => shop.desk.claim(fence)))
      // Every third time one of them fails: the child must fail exactly once, whichever ends first.
      const ends = fences.map((fence, n) =>
        i % 3 === 0 && n === 0
          ? shop.desk.fail(firstAttempt(fence), failure('input_damaged'))
          : shop.desk.complete(fence, outcome),
      )
      expect(await Promise.all(ends)).toEqual(['written', 'written'])
      const child = await findTaskById(shop.database.pool, c.id)
      expect(child?.status).toBe(i % 3 === 0 ? 'failed' : 'created')
    })
    expect(await countDeadlocksLeft()).toBe(0)
  })

  it('exactly one of fifty claims of one entry succeeds [D-state-01]', async () => {
    const caller = await shop.addOwner()
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    const workers = await Promise.all(Array.from({ length: 50 }, () => shop.addWorker()))
    const claims = await Promise.all(
      workers.map((id) => shop.desk.claim({ taskId: task.id, attempt: 1, workerId: id })),
    )
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1)
  })

  it('a heartbeat revokes no lease whose claim is still in flight', async () => {
    const caller = await shop.addOwner()
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    const fence = { taskId: task.id, attempt: 1, workerId }
    expect(await shop.desk.beat(workerId, { claimed: [], held: [fence] })).toEqual([])
  })

  it('a stale fence is refused and counted', async () => {
    const caller = await shop.addOwner()
    const fence = await shop.start(caller, workerId)
    expect(await shop.desk.giveBack(fence)).toBe('written')
    const next = { ...fence, attempt: 2 }
    expect(await shop.desk.claim(next)).toBeDefined()
    expect(await shop.desk.complete(fence, outcome)).toBe('refused')
    expect(await shop.desk.complete(fence, outcome, eitherWay(caller, 0))).toBe('refused')
    expect(await shop.desk.fail(firstAttempt(fence), failure('input_damaged'))).toBe('refused')
    expect(await shop.desk.giveBack(fence)).toBe('refused')
    expect(await shop.desk.beat(workerId, { claimed: [fence], held: [fence] })).toEqual([fence.taskId])
    expect(await shop.desk.complete(next, outcome)).toBe('written')
    const counted = await shop.context.metrics.staleWrites.get()
    expect(counted.values[0]?.value).toBeGreaterThanOrEqual(3)
  })
})

async function countDeadlocksLeft(): Promise<number> {
  const { rows } = await shop.database.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.n ?? -1
}
