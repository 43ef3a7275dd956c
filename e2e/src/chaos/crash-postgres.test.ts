import { setTimeout as pause } from 'node:timers/promises'
import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { countOpen, listTaskRows, untilSettled } from './support/record.ts'

it('keeps every accepted task when PostgreSQL crashes under load, answers 503, and is ready within 10 s of its return', async () => {
  const chance = createChance('crash-postgres')
  const tasks = scaled(200)
  await using stack = await startStack({ workers: 2, storage: 'disk', privatePostgres: true })
  if (!stack.postgres) throw new Error('the stack has no PostgreSQL of its own')
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const client = createClient(stack.url, key)
  const load = startLoad(client, { tasks, chance })
  await waitFor(() => load.accepted.length > tasks / 5, { withinMs: 120_000, what: 'some accepted tasks' })
  await pause(chance.between(0, 500))

  const openAtCrash = await countOpen(stack, ownerId)
  await stack.postgres.crash()
  await pause(chance.between(1_000, 4_000))
  await stack.postgres.start()
  const isReady = async () => (await fetch(`${stack.url}/readyz`)).status === 200
  const backAt = performance.now()
  await waitFor(isReady, { withinMs: 60_000, what: 'the api to be ready again' })
  const tookMs = Math.round(performance.now() - backAt)
  console.log(`ready ${tookMs} ms after PostgreSQL`)
  expect(tookMs).toBeLessThan(10_000)

  const after = startLoad(client, { tasks: scaled(20), chance })
  const results = await Promise.all([load.done, after.done])
  console.log(`${openAtCrash} open at the crash, ${results[0].refused.length} requests refused`)
  expect(openAtCrash).toBeGreaterThan(0)
  // Or no answer: a request may have been cut off with its connection.
  expect(results[0].refused.filter((refusal) => refusal !== 503 && refusal !== 'none')).toEqual([])
  expect(results[0].refused).toContain(503)
  expect(results[1].refused).toEqual([])
  await untilSettled(stack, ownerId)
  console.log(`all ended ${Math.round(performance.now() - backAt)} ms after PostgreSQL was back`)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  const accepted = results.flatMap((result) => result.accepted)
  await checkInvariants(stack, ownerId, accepted)
  await checkNothingLeft(stack)
})
