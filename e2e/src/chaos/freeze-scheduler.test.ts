import { setTimeout as pause } from 'node:timers/promises'
import { type AppProcess, type Stack, startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

const leads = ({ log }: AppProcess) => log().split('became the leader').length - 1

async function untilLed(stack: Stack, by: (scheduler: AppProcess) => boolean, withinMs: number): Promise<AppProcess> {
  const find = () => stack.apps('scheduler').find((scheduler) => leads(scheduler) > 0 && by(scheduler))
  return waitFor(find, { withinMs, what: 'a leader' })
}

it('R3: another scheduler leads within 10 s when the leader is frozen, and loses nothing when it wakes', async () => {
  const chance = createChance('freeze-scheduler')
  const tasks = scaled(90)
  await using stack = await startStack({ workers: 2, schedulers: 2, storage: 'disk' })
  const { key, ownerId } = await stack.createKey({ slots: 10 })
  const leader = await untilLed(stack, () => true, 10_000)
  const load = startLoad(createClient(stack.url, key), { tasks, chance })
  await waitFor(() => load.accepted.length > tasks / 4, { withinMs: 60_000, everyMs: 5, what: 'some accepted tasks' })

  leader.kill('SIGSTOP')
  const frozenAt = performance.now()
  // Only a scheduler that leads recovers what a dead worker held.
  await chance.pick(stack.apps('worker')).stop('SIGKILL')
  await untilLed(stack, (scheduler) => scheduler !== leader, 30_000)
  const tookMs = Math.round(performance.now() - frozenAt)
  console.log(`another scheduler leads after ${tookMs} ms`)
  expect(tookMs).toBeLessThan(10_000)
  const { accepted, refused } = await load.done
  expect(refused).toEqual([])
  await untilSettled(stack, ownerId)

  const wokenFrom = leader.log().length
  leader.kill('SIGCONT')
  const isHeard = () => leader.log().slice(wokenFrom).includes('lost the leadership')
  await waitFor(isHeard, { withinMs: 15_000, what: 'the old leader to notice' })
  await pause(3_000)
  expect(leader.log().slice(wokenFrom)).not.toMatch(/duty|declared dead/)
  expect(leads(leader)).toBe(1)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, accepted)
  await Promise.all(stack.apps('worker').map((worker) => (worker.isRunning ? undefined : worker.restart())))
  await checkNothingLeft(stack)
})
