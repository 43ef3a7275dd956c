import { startStack } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { stillAlive, untilEngineRuns } from './support/engine-processes.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { findTaskRow, untilSettled } from './support/record.ts'
import { startSlowTask } from './support/slow-task.ts'
import { workerOf } from './support/workers.ts'

it('R13: a worker that is stopped while PostgreSQL is down stops in time and loses no task', async () => {
  createChance('drain-without-postgres')
  const env = { WORKER_DRAIN_S: '2' }
  await using stack = await startStack({ workers: 1, storage: 'disk', privatePostgres: true, env })
  if (!stack.postgres) throw new Error('the stack has no PostgreSQL of its own')
  const { key, ownerId } = await stack.createKey()
  const task = await startSlowTask(createClient(stack.url, key))
  const { worker } = await workerOf(stack, task.id)
  const engine = await untilEngineRuns(stack, worker)

  await stack.postgres.crash()
  const askedAt = performance.now()
  await worker.stop('SIGTERM', 60_000)
  const tookMs = Math.round(performance.now() - askedAt)
  console.log(`stopped ${tookMs} ms after it was asked to`)
  expect(tookMs).toBeLessThan(20_000)
  expect(stillAlive(engine)).toEqual([])

  await stack.postgres.start()
  await stack.addWorker()
  await untilSettled(stack, ownerId)
  expect(await findTaskRow(stack, task.id)).toMatchObject({ status: 'completed' })
  await checkInvariants(stack, ownerId, [task.id])
  await checkNothingLeft(stack)
})
