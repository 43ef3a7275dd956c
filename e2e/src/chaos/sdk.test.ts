import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Lathe } from '@lathe/sdk'
import { type AppProcess, amount, startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { fixturePath } from '../../../fixtures/fixtures.ts'
import { createChance } from './support/chance.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

const atOnce = 8

it('the SDK loses none of 1,000 conversions and makes none twice while the api is killed at random', async () => {
  const chance = createChance('sdk')
  await using stack = await startStack({ workers: 2, storage: 'disk' })
  const [api] = stack.apps('api')
  if (!api) throw new Error('the stack has no api')
  const { key, ownerId } = await stack.createKey({ slots: atOnce })
  // As long as it takes: two retries are for a service that is not killed all the time.
  const lathe = new Lathe({ baseUrl: stack.url, key, retries: 60 })
  const photo = fixturePath('photo-100k.jpg')
  const conversions = amount({ whole: 1000, sample: 60 })
  const sums: string[] = []
  let left = conversions

  async function convertSome(): Promise<void> {
    while (left > 0) {
      left -= 1
      const file = await lathe.convert(photo as `${string}.jpg`, 'webp', { width: 64 }, { tag: `n${left}` })
      const sum = createHash('sha256').update(await file.bytes())
      const given = sum.digest('hex')
      expect(given).toBe(file.sha256)
      sums.push(given)
    }
  }

  const work = Promise.all(Array.from({ length: atOnce }, convertSome))
  // By what was done and not by time, so that a slow machine gets on as well: the api dies in the midst of the next ones.
  const kills = await killUntil(work, api, async () => {
    const most = conversions - 2 * atOnce
    // The last ones are left to end: killed all the time, an api gets nothing done.
    if (sums.length >= most) return void (await work)
    const enough = Math.min(most, sums.length + chance.between(2, 20))
    await waitFor(() => sums.length >= enough, { withinMs: 600_000, what: `${enough} conversions` })
    await pause(chance.between(0, 300))
  })
  console.log(`${conversions} conversions, the api killed ${kills} times`)
  expect(sums.length).toBe(conversions)
  expect(new Set(sums).size).toBe(1)
  expect(kills).toBeGreaterThan(0)
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  // One upload and one conversion each: a request that was repeated has made nothing more.
  expect(rows.length).toBe(2 * conversions)
  await checkInvariants(
    stack,
    ownerId,
    rows.map(({ id }) => id),
  )
  await checkNothingLeft(stack)
}, 3_600_000)

/** Kills an api again and again until something is done; gives how often. */
async function killUntil(done: Promise<unknown>, api: AppProcess, life: () => Promise<void>): Promise<number> {
  let isDone = false
  const over = done.finally(() => {
    isDone = true
  })
  for (let kills = 0; ; kills += 1) {
    await Promise.race([over, life()])
    if (isDone) {
      await over
      return kills
    }
    await api.stop('SIGKILL')
    await api.restart()
  }
}
