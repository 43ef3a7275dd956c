import { setTimeout as pause } from 'node:timers/promises'
import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

it('R4: a leader whose clock is 26 hours ahead erases and ends nothing, and still recovers tasks', async () => {
  const chance = createChance('clock-ahead')
  const tasks = scaled(90)
  // A store on disk: a clock that far ahead would make every signed request to S3 invalid.
  await using stack = await startStack({ workers: 2, schedulers: 0, storage: 'disk' })
  const { key, ownerId } = await stack.createKey({ slots: 10 })
  const client = createClient(stack.url, key)
  const waiting = await client.create('import/upload')
  const first = await startLoad(client, { tasks: scaled(30), chance }).done
  const scheduler = await stack.addScheduler({ clockOffset: 26 * 3600 })
  const load = startLoad(client, { tasks, chance })
  await waitFor(() => load.accepted.length > tasks / 4, { withinMs: 60_000, everyMs: 5, what: 'some accepted tasks' })
  await chance.pick(stack.apps('worker')).stop('SIGKILL')
  const { accepted, refused } = await load.done
  // Every duty of the leader has had its turn.
  await pause(12_000)
  expect(scheduler.log()).toContain('became the leader')
  expect(['created', 'processing']).toContain((await client.task(waiting.id)).status)
  await client.post(`/v1/process/tasks/${waiting.id}/cancel`)
  await untilSettled(stack, ownerId)
  expect(refused).toEqual([])
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status, id }) => status !== 'completed' && id !== waiting.id)).toEqual([])
  await checkInvariants(stack, ownerId, [...first.accepted, ...accepted])
  expect(scheduler.log()).toContain('clock differs from PostgreSQL')
  expect(await scheduler.metric('lathe_erasures_refused_total')).toBeGreaterThan(0)
  await Promise.all(stack.apps('worker').map((worker) => (worker.isRunning ? undefined : worker.restart())))
  await checkNothingLeft(stack)
})
