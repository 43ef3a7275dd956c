import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { countOpen, listTaskRows, untilSettled } from './support/record.ts'

it('loses nothing and does nothing twice when Redis is emptied with 300 tasks under way', async () => {
  const chance = createChance('flush-redis')
  const tasks = scaled(300)
  // Without workers at first, so that all of them are there to be forgotten.
  await using stack = await startStack({ workers: 0, storage: 'disk' })
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const { accepted, refused } = await startLoad(createClient(stack.url, key), { tasks, chance }).done
  await Promise.all([stack.addWorker(), stack.addWorker()])
  for (const share of [1, 0.75, 0.5, 0.25]) {
    const limit = tasks * share - chance.between(0, Math.floor(tasks / 8))
    const fewEnough = async () => share === 1 || (await countOpen(stack, ownerId)) <= limit
    await waitFor(fewEnough, { withinMs: 120_000, what: `no more than ${limit} open tasks` })
    const open = await countOpen(stack, ownerId)
    await stack.redis.command('flushall')
    console.log(`emptied with ${open} open`)
    expect(open).toBeGreaterThan(0)
  }
  expect(refused).toEqual([])
  expect(accepted.length).toBe(tasks)
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, accepted)
  await checkNothingLeft(stack)
})
