import { setTimeout as pause } from 'node:timers/promises'
import { type Stack, startStack, waitFor } from '@lathe/testing'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { stillAlive, untilEngineRuns } from './support/engine-processes.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { findTaskRow, listTaskRows, untilSettled } from './support/record.ts'
import { slowSize, startSlowTask } from './support/slow-task.ts'
import { workerOf } from './support/workers.ts'

it('runs a task again elsewhere within 15 s when its worker is killed, and completes it once', async () => {
  const chance = createChance('kill-worker')
  await using stack = await startStack({ workers: 2 })
  const { key, ownerId } = await stack.createKey()
  const client = createClient(stack.url, key)
  const task = await startSlowTask(client)
  const { worker, row: before } = await workerOf(stack, task.id)
  const engine = await untilEngineRuns(stack, worker)
  await pause(chance.between(0, 1_500))

  const killedAt = performance.now()
  await worker.stop('SIGKILL')
  await waitFor(() => stillAlive(engine).length === 0, { withinMs: 2_000, what: 'the end of the dead worker’s engine' })
  const isElsewhere = async () => {
    const { workerId, attempt } = await findTaskRow(stack, task.id)
    return workerId !== null && workerId !== before.workerId && attempt === before.attempt + 1
  }
  await waitFor(isElsewhere, { withinMs: 60_000, everyMs: 50, what: 'another worker with the task' })
  const tookMs = Math.round(performance.now() - killedAt)
  console.log(`running elsewhere after ${tookMs} ms`)
  expect(tookMs).toBeLessThan(15_000)

  await untilSettled(stack, ownerId)
  const end = await client.task(task.id)
  expect(end, stack.tails()).toMatchObject({ status: 'completed', result: { files: [{ filename: 'noise.avif' }] } })
  const picture = await client.download(end.result.url)
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'heif', ...slowSize })
  await checkInvariants(stack, ownerId, [task.id])
  // The next worker on the machine clears away what the dead one left.
  await worker.restart()
  await checkNothingLeft(stack)
})

it('loses no task when a worker is killed under load, and delays none by more than 15 s', async () => {
  const chance = createChance('kill-worker-under-load')
  const tasks = scaled(120)
  await using stack = await startStack({ workers: 2, storage: 'disk' })
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const load = startLoad(createClient(stack.url, key), { tasks, chance })
  const enough = chance.between(20, 60)
  await waitFor(() => load.accepted.length >= enough, { withinMs: 60_000, everyMs: 5, what: 'some accepted tasks' })

  const worker = chance.pick(stack.apps('worker'))
  await worker.stop('SIGKILL')
  const killedAt = new Date()
  const { accepted, refused } = await load.done
  expect(refused).toEqual([])
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  const longestMs = await longestStandstill(stack, killedAt)
  console.log(`after the kill nothing began or ended for ${longestMs} ms at most`)
  expect(longestMs).toBeLessThan(15_000)
  await checkInvariants(stack, ownerId, accepted)
  await worker.restart()
  await checkNothingLeft(stack)
})

/** For how long at most no task began or ended: how long the queue lasts is the machine's affair. */
async function longestStandstill({ database }: Stack, since: Date): Promise<number> {
  const sql = `select unnest(array[started_at, ended_at]) as at from tasks`
  const { rows } = await database.pool.query<{ at: Date | null }>(sql)
  const moments = [since, ...rows.flatMap(({ at }) => (at && at > since ? [at] : []))].map(Number).sort((a, b) => a - b)
  return Math.max(...moments.slice(1).map((moment, n) => moment - (moments[n] ?? 0)))
}
