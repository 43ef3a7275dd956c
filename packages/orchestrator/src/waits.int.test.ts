import { bytes } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop()
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

const claimNext = (known: boolean) => {
  const next = shop.queued.pop()
  if (!next) throw new Error('nothing was queued')
  const { task: taskId, attempt, ...entry } = next.entry
  return shop.desk.claim({ taskId, attempt, workerId }, known ? entry : undefined)
}

/** Makes a task look as if it became ready this many seconds ago. */
async function age(id: ObjectId, seconds: number): Promise<void> {
  await shop.database.pool.query(`update tasks set updated_at = now() - $2 * interval '1 second' where id = $1`, [
    bytes(id),
    seconds,
  ])
}

it.each([true, false])(
  'a claim reports how long the task waited since it became ready (by a fast path: %s)',
  async (known) => {
    const task = shop.newTask()
    await shop.orchestrator.createTask(await shop.addOwner(), task)
    await age(task.id, 30)
    const claim = await claimNext(known)
    expect(claim?.wait).toMatchObject({ pool: 'transfer', lane: 'quick' })
    expect(claim?.wait.ms).toBeGreaterThanOrEqual(30_000)
    expect(claim?.wait.ms).toBeLessThan(35_000)
  },
)

it('the wait in a job begins when the last input is there', async () => {
  const [first, second] = [
    { ...shop.newTask(), name: 'in' },
    { ...shop.newTask('convert'), name: 'to', inputs: [{ kind: 'sibling' as const, name: 'in' }] },
  ]
  const id = shop.ids.next(shop.clock.now())
  await shop.orchestrator.createJob(await shop.addOwner(), { id, tag: null, tasks: [first, second] })
  await age(second.id, 60)
  const claim = await claimNext(true)
  if (!claim) throw new Error('the task was not claimed')
  await shop.desk.complete(claim.fence, { files: [someFile], warnings: [] }, claim.standing)
  expect((await claimNext(true))?.wait).toMatchObject({ pool: 'process', ms: expect.toSatisfy((ms) => ms < 10_000) })
})

it('a back-off does not count as waiting', async () => {
  const task = shop.newTask()
  await shop.orchestrator.createTask(await shop.addOwner(), task)
  const claim = await claimNext(true)
  if (!claim) throw new Error('the task was not claimed')
  await shop.desk.giveBack(claim.fence, { delayMs: 0 })
  await age(task.id, 60)
  await shop.database.pool.query(`update tasks set not_before = now() - interval '5 seconds' where id = $1`, [
    bytes(task.id),
  ])
  const waited = (await claimNext(true))?.wait.ms ?? 0
  expect(waited).toBeGreaterThanOrEqual(5_000)
  expect(waited).toBeLessThan(20_000)
})
