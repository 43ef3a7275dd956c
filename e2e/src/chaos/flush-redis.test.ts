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
  await using stack = await startStack({ workers: 2, storage: 'disk' })
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const load = startLoad(createClient(stack.url, key), { tasks, chance })
  for (let round = 1; round <= 3; round += 1) {
    const reached = Math.floor((tasks * round) / 4) + chance.between(0, Math.floor(tasks / 8))
    const isReached = () => load.accepted.length >= Math.min(reached, tasks - 6)
    await waitFor(isReached, { withinMs: 120_000, what: `${reached} accepted tasks` })
    const open = await countOpen(stack, ownerId)
    await stack.redis.command('flushall')
    console.log(`flush ${round}: ${open} open`)
    expect(open).toBeGreaterThan(0)
  }
  const { accepted, refused } = await load.done
  await stack.redis.command('flushall')
  expect(refused).toEqual([])
  expect(accepted.length).toBe(tasks)
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, accepted)
  await checkNothingLeft(stack)
})
