import { type AppProcess, type Stack, startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

const termsOf = ({ log }: AppProcess) => log().split('became the leader').length - 1

async function holderOf(stack: Stack): Promise<{ epoch: number; pid: number }> {
  const { rows } = await stack.database.pool.query('select epoch, holder from leadership')
  return { epoch: rows[0]?.epoch ?? 0, pid: Number(rows[0]?.holder?.split('/')[1]) }
}

it('R3: behind PgBouncer in transaction mode everything works, and one scheduler leads through a freeze and a kill', async () => {
  const chance = createChance('pooler')
  await using stack = await startStack({ workers: 2, schedulers: 2, storage: 'disk', pooler: true })
  const { key, ownerId } = await stack.createKey({ slots: 10 })
  const first = await waitFor(() => stack.apps('scheduler').find((one) => termsOf(one) > 0), { withinMs: 15_000 })
  const second = stack.apps('scheduler').find((one) => one !== first) ?? expect.fail('one scheduler')
  expect(await holderOf(stack)).toEqual({ epoch: 1, pid: first.pid })
  const load = startLoad(createClient(stack.url, key), { tasks: scaled(60), chance })

  first.kill('SIGSTOP')
  await waitFor(() => termsOf(second) === 1, { withinMs: 15_000, what: 'the other scheduler to lead' })
  const wokenFrom = first.log().length
  first.kill('SIGCONT')
  const isHeard = () => first.log().slice(wokenFrom).includes('lost the leadership')
  await waitFor(isHeard, { withinMs: 15_000, what: 'the old leader to notice' })
  expect(await holderOf(stack)).toEqual({ epoch: 2, pid: second.pid })
  expect(first.log().slice(wokenFrom)).not.toMatch(/duty|declared dead/)
  expect(termsOf(first)).toBe(1)

  await second.stop('SIGKILL')
  await waitFor(() => termsOf(first) === 2, { withinMs: 15_000, what: 'the first scheduler to lead again' })
  expect((await holderOf(stack)).epoch).toBe(3)

  const { accepted, refused } = await load.done
  expect(refused).toEqual([])
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, accepted)
  await second.restart()
  await checkNothingLeft(stack)
})
