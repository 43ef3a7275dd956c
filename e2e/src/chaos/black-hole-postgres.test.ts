import { setTimeout as pause } from 'node:timers/promises'
import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { countOpen, listTaskRows, untilSettled } from './support/record.ts'

const hello = { file: 'data:text/plain;base64,aGVsbG8=', filename: 'hello.txt' }
const holeMs = 20_000

it('R11: answers 503 while every packet to PostgreSQL is dropped, keeps the queue, and recovers within 15 s', async () => {
  const chance = createChance('black-hole-postgres')
  const tasks = Math.max(150, scaled(180))
  // Without workers at first, so that there is a queue.
  await using stack = await startStack({ workers: 0, storage: 'disk', postgresProxy: true })
  const { postgresProxy: proxy } = stack
  if (!proxy) throw new Error('the stack has no proxy')
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const client = createClient(stack.url, key)
  const first = await startLoad(client, { tasks, chance }).done
  expect(first.refused).toEqual([])
  await Promise.all([stack.addWorker(), stack.addWorker()])
  const hasBegun = async () => (await countOpen(stack, ownerId)) < tasks
  await waitFor(hasBegun, { withinMs: 60_000, everyMs: 5, what: 'a task that has ended' })

  const countQueued = async () => {
    const counts = ['v2-transfer', 'v2-any-quick'].map((name) =>
      stack.redis.command('zcard', `lathe:${name}:prioritized`),
    )
    return (await Promise.all(counts)).reduce((sum, count) => sum + Number(count), 0)
  }
  proxy.swallow()
  const holeEndsAt = performance.now() + holeMs
  const load = startLoad(client, { tasks: scaled(30), chance })
  // Workers first take as many entries as they have slots for, which lasts longer on a busy machine.
  let queuedBefore = -1
  const isStill = async () => {
    const last = queuedBefore
    queuedBefore = await countQueued()
    return queuedBefore === last
  }
  await waitFor(isStill, { withinMs: 15_000, everyMs: 1_500, what: 'workers that take no more entries' })
  const authorization = `Bearer ${key}`
  const ask = () =>
    fetch(`${stack.url}/v1/process/import/base64`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(hello),
    })
  const read = (path: string) => fetch(`${stack.url}${path}`, { headers: { authorization } })
  const reads = ['/v1/process/tasks', `/v1/process/tasks/${first.accepted[0]}`].map(read)
  const answers = await Promise.all([ask(), ask(), ask(), ask(), ...reads])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
  expect(answers.filter(({ headers }) => !(Number(headers.get('retry-after')) > 0))).toEqual([])
  await pause(Math.max(0, holeEndsAt - performance.now()))
  const queuedAfter = await countQueued()
  console.log(`${queuedBefore} entries queued at the beginning of the hole, ${queuedAfter} at its end`)
  expect(queuedBefore).toBeGreaterThan(0)
  expect(queuedAfter).toBeGreaterThanOrEqual(queuedBefore)

  proxy.pass()
  const backAt = performance.now()
  const isAccepted = async () => (await ask()).status === 201
  await waitFor(isAccepted, { withinMs: 60_000, everyMs: 100, what: 'an accepted request' })
  const acceptedMs = Math.round(performance.now() - backAt)
  const open = await countOpen(stack, ownerId)
  const isWorking = async () => (await countOpen(stack, ownerId)) < open
  await waitFor(isWorking, { withinMs: 60_000, everyMs: 50, what: 'a task that ends' })
  const endedMs = Math.round(performance.now() - backAt)
  console.log(`requests accepted again after ${acceptedMs} ms, tasks end again after ${endedMs} ms`)
  expect(acceptedMs).toBeLessThan(15_000)
  expect(endedMs).toBeLessThan(15_000)

  // A hole so short that its connections are only found dead afterwards.
  proxy.swallow()
  await pause(chance.between(100, 2_000))
  proxy.pass()
  const againAt = performance.now()
  await waitFor(isAccepted, { withinMs: 60_000, everyMs: 100, what: 'an accepted request' })
  const againMs = Math.round(performance.now() - againAt)
  console.log(`requests accepted again ${againMs} ms after a short hole`)
  expect(againMs).toBeLessThan(15_000)
  const { accepted, refused } = await load.done
  expect(new Set(refused)).toEqual(new Set([503]))
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  const deaths = await stack.database.pool.query(`select from workers where ended_by = 'silence'`)
  expect(deaths.rowCount).toBe(0)
  await checkInvariants(stack, ownerId, [...first.accepted, ...accepted])
  await checkNothingLeft(stack)
})
