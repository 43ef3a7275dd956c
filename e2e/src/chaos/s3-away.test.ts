import { setTimeout as pause } from 'node:timers/promises'
import { startStack, startTcpProxy, testServices, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

const awayMs = 30_000

it('R9: fails no task when the storage is away from the workers for 30 s', async () => {
  const chance = createChance('s3-away')
  const tasks = scaled(60)
  const { endpoint } = testServices().s3
  await using proxy = await startTcpProxy(endpoint)
  const through = `http://127.0.0.1:${proxy.port}`
  await using stack = await startStack({ workers: 2, appEnv: { worker: { S3_ENDPOINT: through } } })
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const load = startLoad(createClient(stack.url, key), { tasks, chance })
  const enough = chance.between(10, 20)
  await waitFor(() => load.accepted.length >= enough, { withinMs: 60_000, everyMs: 5, what: 'some accepted tasks' })
  proxy.cut()
  await pause(awayMs)
  proxy.pass()
  const backAt = performance.now()
  const { accepted, refused } = await load.done
  expect(refused).toEqual([])
  await untilSettled(stack, ownerId)
  console.log(`all done ${Math.round(performance.now() - backAt)} ms after the storage was back`)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, accepted)
  await checkNothingLeft(stack)
})
