import { bytes, findTaskById } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createOrchestrator, createWorkerDesk } from './orchestrator.ts'
import { countCosts } from './testing/count-costs.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop({ slots: 2 })
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

const outcome = { files: [someFile], warnings: ['a warning'], engineMs: 1_234 }
const first = (taskId: ObjectId) => ({ taskId, attempt: 1, workerId })

function countedShop() {
  const { counted, costs } = countCosts(shop.database)
  const context = { ...shop.context, database: counted }
  return { desk: createWorkerDesk(context), orchestrator: createOrchestrator(context), costs }
}

async function countersOf({ ownerId }: Caller) {
  const { rows } = await shop.database.pool.query(
    `select slots_used as "slotsUsed", backlog, used_ms as "usedMs" from owners where id = $1`,
    [bytes(ownerId)],
  )
  return rows[0]
}

async function eventsOf(id: ObjectId): Promise<readonly string[]> {
  const { rows } = await shop.database.pool.query<{ type: string }>(
    `select type from events where subject_id = $1 order by seq`,
    [bytes(id)],
  )
  return rows.map(({ type }) => type)
}

async function run(task: { id: ObjectId }) {
  const claim = await shop.desk.claim(first(task.id))
  return shop.desk.complete(first(task.id), outcome, claim?.standing)
}

describe('a task outside any job', () => {
  it('is created, with a completed input, and completed by the fast paths, with all effects stored', async () => {
    const caller = await shop.addOwner()
    const input = shop.newTask()
    await shop.orchestrator.createTask(caller, input)
    await run(input)
    const { orchestrator, desk, costs } = countedShop()
    const task = shop.newTask('convert', [input.id])
    await orchestrator.createTask(caller, task)
    expect(costs()).toEqual({ statements: 1, commits: 1, roundTrips: 1 })
    expect(await countersOf(caller)).toMatchObject({ slotsUsed: 1, backlog: 0 })
    const claim = await shop.desk.claim(first(task.id))
    expect(claim?.inputs.map(({ id }) => id)).toEqual([input.id])
    expect(await desk.complete(first(task.id), outcome, claim?.standing)).toBe('written')
    expect(costs()).toEqual({ statements: 5, commits: 2, roundTrips: 2 })
    expect(await findTaskById(shop.database.pool, task.id)).toMatchObject({
      status: 'completed',
      warnings: ['a warning'],
      files: [{ key: someFile.key, size: 3 }],
    })
    expect(await eventsOf(task.id)).toEqual(['task.created', 'task.started', 'task.completed'])
    expect(await countersOf(caller)).toEqual({ slotsUsed: 0, backlog: 0, usedMs: 1_234 })
  })

  it('waits for an input that is not complete, and is refused one that is not there', async () => {
    const caller = await shop.addOwner()
    const input = shop.newTask()
    await shop.orchestrator.createTask(caller, input)
    const child = shop.newTask('convert', [input.id])
    await shop.orchestrator.createTask(caller, child)
    expect(await findTaskById(shop.database.pool, child.id)).toMatchObject({ status: 'created' })
    expect(await countersOf(caller)).toMatchObject({ slotsUsed: 1, backlog: 0 })
    await run(input)
    expect(await countersOf(caller)).toMatchObject({ slotsUsed: 1, backlog: 0 })
    const nobodys = shop.newTask('convert', [shop.ids.next(shop.clock.now())])
    await expect(shop.orchestrator.createTask(caller, nobodys)).rejects.toThrow(/There is no task/)
    const strangers = shop.newTask('convert', [input.id])
    await expect(shop.orchestrator.createTask(await shop.addOwner(), strangers)).rejects.toThrow(/There is no task/)
  })

  it('waits in the backlog when the slots are taken, and gets the slot of the one that ends', async () => {
    const caller = await shop.addOwner(2)
    const tasks = Array.from({ length: 5 }, () => shop.newTask())
    for (const task of tasks) await shop.orchestrator.createTask(caller, task)
    expect(await countersOf(caller)).toMatchObject({ slotsUsed: 2, backlog: 3 })
    for (const [i, task] of tasks.entries()) {
      expect(await run(task)).toBe('written')
      const open = tasks.length - i - 1
      expect(await countersOf(caller)).toMatchObject({ slotsUsed: Math.min(2, open), backlog: Math.max(0, open - 2) })
    }
    const queued = shop.queued.map(({ entry }) => entry.task)
    for (const { id } of tasks) expect(queued.filter((task) => task === id)).toHaveLength(1)
  })

  it('sends all its events to webhooks of its owner', async () => {
    const caller = await shop.addOwner()
    await shop.database.pool.query('update owners set has_webhooks = true where id = $1', [bytes(caller.ownerId)])
    const { orchestrator, costs } = countedShop()
    const task = shop.newTask()
    await orchestrator.createTask(caller, task)
    expect(costs().statements).toBeGreaterThan(5)
    expect((await shop.desk.claim(first(task.id)))?.standing.isLone).toBe(false)
  })
})

describe('ends of one owner at the same time', () => {
  it('are written together, and one that cannot be written does not affect others', async () => {
    const caller = await shop.addOwner(20)
    const tasks = Array.from({ length: 10 }, () => shop.newTask())
    for (const task of tasks) await shop.orchestrator.createTask(caller, task)
    const { desk, costs } = countedShop()
    const claims = await Promise.all(tasks.map((task) => shop.desk.claim(first(task.id))))
    const ends = await Promise.allSettled(
      claims.map((claim, i) =>
        desk.complete(
          first(tasks[i]?.id ?? ''),
          i === 5 ? { ...outcome, warnings: ['a\u0000b'] } : outcome,
          claim?.standing,
        ),
      ),
    )
    expect(ends.map(({ status }) => status === 'fulfilled')).toEqual(tasks.map((_, i) => i !== 5))
    expect(await countersOf(caller)).toMatchObject({ slotsUsed: 1, backlog: 0 })
    // One alone, then the nine others together and, because one of them cannot be written, each alone.
    expect(costs().commits).toBe(11)
  })

  it('are all refused after one wait when the owner’s row is locked', { timeout: 30_000 }, async () => {
    const caller = await shop.addOwner(20)
    const tasks = Array.from({ length: 8 }, () => shop.newTask())
    for (const task of tasks) await shop.orchestrator.createTask(caller, task)
    const claims = await Promise.all(tasks.map((task) => shop.desk.claim(first(task.id))))
    const { promise: locked, resolve: noteLocked } = Promise.withResolvers<void>()
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const holding = shop.database.withConnection(async (connection) => {
      await connection.query('begin')
      await connection.query('set local idle_in_transaction_session_timeout = 0')
      await connection.query('select from owners where id = $1 for no key update', [bytes(caller.ownerId)])
      noteLocked()
      await held
      await connection.query('commit')
    })
    await locked
    const startedAt = performance.now()
    const ends = claims.map((claim, i) => shop.desk.complete(first(tasks[i]?.id ?? ''), outcome, claim?.standing))
    const settled = await Promise.allSettled(ends)
    expect(settled.map(({ status }) => status)).toEqual(tasks.map(() => 'rejected'))
    // One alone, and the seven others together; one by one they would have waited eight times.
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    letGo()
    await holding
  })

  it('cost one transaction for all that arrived while another was being written', async () => {
    const caller = await shop.addOwner(40)
    const tasks = Array.from({ length: 31 }, () => shop.newTask())
    for (const task of tasks) await shop.orchestrator.createTask(caller, task)
    const claims = await Promise.all(tasks.map((task) => shop.desk.claim(first(task.id))))
    const { desk, costs } = countedShop()
    await Promise.all(claims.map((claim, i) => desk.complete(first(tasks[i]?.id ?? ''), outcome, claim?.standing)))
    expect(costs()).toEqual({ statements: 8, commits: 2, roundTrips: 2 })
    expect(await countersOf(caller)).toMatchObject({ slotsUsed: 0, backlog: 0 })
  })
})
