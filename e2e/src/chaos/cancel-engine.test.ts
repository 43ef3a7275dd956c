import { type Stack, startStack, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChance } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { stillAlive, untilEngineRuns } from './support/engine-processes.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { findTaskRow, untilSettled } from './support/record.ts'
import { startSlowTask } from './support/slow-task.ts'
import { workerOf } from './support/workers.ts'

let stack: Stack
const canceled: string[] = []
let owner: Awaited<ReturnType<Stack['createKey']>>

beforeAll(async () => {
  createChance('cancel-engine')
  stack = await startStack({ workers: 1, storage: 'disk' })
  owner = await stack.createKey()
})

afterAll(() => stack[Symbol.asyncDispose]())

async function cancelRunning(beforeCancel: () => Promise<unknown>): Promise<number> {
  const client = createClient(stack.url, owner.key)
  const task = await startSlowTask(client)
  canceled.push(task.id)
  const { worker } = await workerOf(stack, task.id)
  const engine = await untilEngineRuns(stack, worker)
  expect(engine.length).toBeGreaterThan(1)
  await beforeCancel()
  expect((await client.post(`/v1/process/tasks/${task.id}/cancel`)).status).toBe(200)
  const canceledAt = performance.now()
  await waitFor(() => stillAlive(engine).length === 0, { withinMs: 30_000, what: 'the end of the engine' })
  expect(await findTaskRow(stack, task.id)).toMatchObject({ status: 'canceled' })
  return Math.round(performance.now() - canceledAt)
}

it('ends every process of a canceled engine within 2 s [D-state-21]', async () => {
  const tookMs = await cancelRunning(async () => {})
  console.log(`gone after ${tookMs} ms with Redis`)
  expect(tookMs).toBeLessThan(2_000)
})

// Without Redis nobody calls the worker: it asks PostgreSQL itself, with each heartbeat, every 3 s.
it('ends them with the next heartbeat, within about 4 s, while Redis is away', async () => {
  const tookMs = await cancelRunning(() => stack.redis.stop('SIGKILL'))
  console.log(`gone after ${tookMs} ms without Redis`)
  expect(tookMs).toBeLessThan(4_500)
  await stack.redis.restart()
})

it('leaves nothing behind', async () => {
  await untilSettled(stack, owner.ownerId)
  await checkInvariants(stack, owner.ownerId, canceled)
  await checkNothingLeft(stack)
})
