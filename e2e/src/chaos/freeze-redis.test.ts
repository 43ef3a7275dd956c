import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { type Client, createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

const hello = { file: 'data:text/plain;base64,aGVsbG8=', filename: 'hello.txt' }

/** How long creating a task takes, in milliseconds: the 95th percentile of so many, one after another. */
async function measureCreates(client: Client, count: number): Promise<{ p95: number; ids: readonly string[] }> {
  const took: number[] = []
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const startedAt = performance.now()
    ids.push((await client.create('import/base64', hello)).id)
    took.push(performance.now() - startedAt)
  }
  took.sort((a, b) => a - b)
  return { p95: took[Math.floor(0.95 * count)] ?? 0, ids }
}

it('R12: creates tasks as fast as ever while Redis is frozen, and completes all of them once it wakes', async () => {
  const chance = createChance('freeze-redis')
  const tasks = scaled(90)
  const creates = Math.max(60, scaled(100))
  await using stack = await startStack({ workers: 2, storage: 'disk' })
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const client = createClient(stack.url, key)
  const solo = await measureCreates(client, creates)
  await untilSettled(stack, ownerId)
  const load = startLoad(client, { tasks, chance })
  await waitFor(() => load.accepted.length > tasks / 2, { withinMs: 60_000, everyMs: 5, what: 'some accepted tasks' })

  stack.redis.kill('SIGSTOP')
  const { accepted, refused } = await load.done
  const frozen = await measureCreates(client, creates)
  console.log(`create p95: ${solo.p95.toFixed(0)} ms before, ${frozen.p95.toFixed(0)} ms with a frozen Redis`)
  // A busy machine is slow with and without Redis; who waited for it would take seconds.
  expect(frozen.p95).toBeLessThan(Math.max(300, 1.5 * solo.p95))
  expect(refused).toEqual([])

  stack.redis.kill('SIGCONT')
  const wokeAt = performance.now()
  const { id } = await client.create('import/base64', hello)
  const isDone = async () => (await client.task(id)).status === 'completed'
  await waitFor(isDone, { withinMs: 60_000, everyMs: 100, what: 'the first task after the freeze' })
  const tookMs = Math.round(performance.now() - wokeAt)
  console.log(`a new task was completed ${tookMs} ms after Redis woke`)
  expect(tookMs).toBeLessThan(15_000)
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, [...accepted, ...solo.ids, ...frozen.ids, id])
  await checkNothingLeft(stack)
})
