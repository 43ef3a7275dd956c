import { bytes, endWorker, findLowestSandboxLevel } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let caller: Caller
beforeAll(async () => {
  shop = await createWorkshop()
  caller = await shop.addOwner()
})
afterAll(() => shop[Symbol.asyncDispose]())

async function addWorker(sandboxLevel: number, pools: readonly string[] = ['process']): Promise<ObjectId> {
  const id = shop.ids.next()
  await shop.desk.register({ id, host: 'test', pools, sandboxLevel })
  return id
}

async function levelOf(id: ObjectId): Promise<number | null | undefined> {
  const { rows } = await shop.database.pool.query<{ level: number | null }>(
    `select sandbox_level as level from tasks where id = $1`,
    [bytes(id)],
  )
  return rows[0]?.level
}

it('a task that needs an engine is claimed only by workers that have it', async () => {
  const [without, having] = [shop.ids.next(), await addWorker(2)]
  await shop.desk.register({
    id: without,
    host: 'test',
    pools: ['process'],
    sandboxLevel: 2,
    lacks: ['office', 'browser'],
  })
  const task = shop.newTask()
  await shop.orchestrator.createTask(caller, task)
  // It is not known yet what it needs.
  const first = { taskId: task.id, attempt: 1, workerId: without }
  expect(await shop.desk.claim(first)).toBeDefined()
  expect(await shop.desk.giveBack(first, { needs: 'office' })).toBe('written')
  expect(await shop.desk.claim({ ...first, attempt: 2 })).toBeUndefined()
  expect(await shop.desk.claim({ ...first, attempt: 2, workerId: having })).toBeDefined()
  for (const id of [without, having]) await endWorker(shop.database.pool, id)
})

describe('the isolation level of an engine', () => {
  it('is stored with its task, and not with a task that needs no engine', async () => {
    const workerId = await addWorker(3)
    const source = shop.newTask()
    await shop.orchestrator.createTask(caller, source)
    const fence = { taskId: source.id, attempt: 1, workerId }
    await shop.desk.claim(fence)
    await shop.desk.complete(fence, { files: [someFile], warnings: [] })
    const task = shop.newTask('convert', [source.id])
    await shop.orchestrator.createTask(caller, task)
    expect(await levelOf(task.id)).toBeNull()
    await shop.desk.claim({ taskId: task.id, attempt: 1, workerId })
    expect(await levelOf(task.id)).toBe(3)
    expect(await levelOf(source.id)).toBeNull()
    await endWorker(shop.database.pool, workerId)
  })

  it('is reported as the lowest of all live workers that run engines', async () => {
    const { pool } = shop.database
    expect(await findLowestSandboxLevel(pool)).toBeNull()
    await addWorker(0, ['transfer'])
    const best = await addWorker(3)
    expect(await findLowestSandboxLevel(pool)).toBe(3)
    const worst = await addWorker(2)
    expect(await findLowestSandboxLevel(pool)).toBe(2)
    await endWorker(pool, worst)
    expect(await findLowestSandboxLevel(pool)).toBe(3)
    await pool.query(`update workers set heartbeat_at = now() - interval '10 seconds' where id = $1`, [bytes(best)])
    expect(await findLowestSandboxLevel(pool)).toBeNull()
  })
})
