import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

it('fails no task when a worker is stopped under load', async () => {
  const chance = createChance('stop-worker')
  const tasks = scaled(150)
  await using stack = await startStack({ workers: 2, storage: 'disk' })
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const load = startLoad(createClient(stack.url, key), { tasks, chance })
  await waitFor(() => load.accepted.length > tasks / 4, { withinMs: 120_000, what: 'some accepted tasks' })

  const worker = chance.pick(stack.apps('worker'))
  expect(await worker.stop('SIGTERM', 60_000), worker.tail()).toBe(0)
  const { accepted, refused } = await load.done
  expect(refused).toEqual([])
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, accepted)
  await checkNothingLeft(stack)
})
