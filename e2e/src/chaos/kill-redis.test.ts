import { setTimeout as pause } from 'node:timers/promises'
import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { countOpen, listTaskRows, untilSettled } from './support/record.ts'

const awayMs = 5_000

it('goes on accepting while Redis is away for 5 s, says that it is degraded, and loses nothing', async () => {
  const chance = createChance('kill-redis')
  const tasks = scaled(150)
  await using stack = await startStack({ workers: 2, storage: 'disk' })
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const client = createClient(stack.url, key)
  const before = startLoad(client, { tasks, chance })
  await waitFor(() => before.accepted.length > tasks / 5, { withinMs: 120_000, what: 'some accepted tasks' })

  const openAtKill = await countOpen(stack, ownerId)
  await stack.redis.stop('SIGKILL')
  const during = startLoad(client, { tasks: scaled(40), chance })
  const readiness = async () => {
    const response = await fetch(`${stack.url}/readyz`)
    return { code: response.status, ...((await response.json()) as { status: string }) }
  }
  await waitFor(async () => (await readiness()).status === 'degraded', { withinMs: 10_000, what: 'a degraded answer' })
  expect(await readiness()).toMatchObject({ code: 200, status: 'degraded' })
  await pause(awayMs)
  await stack.redis.restart()
  await waitFor(async () => (await readiness()).status === 'ready', { withinMs: 15_000, what: 'a ready answer' })

  const results = await Promise.all([before.done, during.done])
  console.log(`${openAtKill} open at the kill`)
  expect(openAtKill).toBeGreaterThan(0)
  expect(results.flatMap(({ refused }) => refused)).toEqual([])
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  const accepted = results.flatMap((result) => result.accepted)
  await checkInvariants(stack, ownerId, accepted)
  await checkNothingLeft(stack)
})
