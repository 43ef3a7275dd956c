import { setTimeout as pause } from 'node:timers/promises'
import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { findTaskRow, listTaskRows, untilSettled } from './support/record.ts'
import { startSlowTask } from './support/slow-task.ts'
import { workerOf } from './support/workers.ts'

const frozenMs = 30_000

it('rejects all writes of a worker that was frozen for 30 s, and gives it new tasks afterwards', async () => {
  const chance = createChance('freeze-worker')
  await using stack = await startStack({ workers: 2, storage: 'disk' })
  const { key, ownerId } = await stack.createKey({ slots: 100 })
  const client = createClient(stack.url, key)
  const task = await startSlowTask(client)
  const { worker, row: before } = await workerOf(stack, task.id)
  const load = startLoad(client, { tasks: scaled(60), chance })
  const enough = chance.between(5, 15)
  await waitFor(() => load.accepted.length >= enough, { withinMs: 60_000, everyMs: 5, what: 'some accepted tasks' })

  worker.kill('SIGSTOP')
  await pause(frozenMs)
  const moved = await findTaskRow(stack, task.id)
  expect(moved.attempt, stack.tails()).toBe(before.attempt + 1)
  const { accepted, refused } = await load.done
  expect(refused).toEqual([])
  await untilSettled(stack, ownerId)
  const completed = await stateOf()
  expect(completed.rows.find(({ id }) => id === task.id)).toMatchObject({ attempt: before.attempt + 1 })
  expect(completed.rows.filter(({ status }) => status !== 'completed')).toEqual([])

  worker.kill('SIGCONT')
  await waitFor(() => worker.log().includes('worker was declared dead, registering again'), {
    withinMs: 30_000,
    what: 'the worker to notice that it was declared dead',
  })
  // Whether its engine had an answer ready or was stopped by the heartbeat, nothing of it may count.
  await waitFor(async () => (await worker.metric('lathe_tasks_running')) === 0, {
    withinMs: 30_000,
    what: 'the end of what the worker still ran',
  })
  console.log(`writes refused: ${await worker.metric('lathe_stale_writes_total')}`)
  expect(await stateOf()).toEqual(completed)

  const others = stack.apps('worker').filter((other) => other !== worker)
  await Promise.all(others.map((other) => other.stop('SIGTERM')))
  const { id } = await client.create('import/base64', { file: 'data:text/plain;base64,aGVsbG8=', filename: 'a.txt' })
  await untilSettled(stack, ownerId)
  const again = await findTaskRow(stack, id)
  expect(again).toMatchObject({ status: 'completed' })
  await checkInvariants(stack, ownerId, [task.id, id, ...accepted])
  await checkNothingLeft(stack)

  async function stateOf() {
    const files = await stack.database.pool.query('select * from files order by task_id, n')
    const events = await stack.database.pool.query('select * from events order by subject_id, seq')
    return { rows: await listTaskRows(stack, ownerId), files: files.rows, events: events.rows }
  }
})
