import { statfsSync } from 'node:fs'
import { type AppProcess, type Stack, startStack, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { listTaskRows, untilSettled } from './support/record.ts'
import { mountScratch, type SmallDisk } from './support/small-disk.ts'

const MiB = 1024 ** 2

const own = new AsyncDisposableStack()
let stack: Stack
let scratch: string
let disk: SmallDisk
let worker: AppProcess

beforeAll(async () => {
  stack = own.use(await startStack({ workers: 1, storage: 'disk' }))
  scratch = `${stack.scratchDir}-small`
  disk = own.use(mountScratch(scratch))
  worker = await stack.addWorker({ env: { LATHE_SCRATCH_DIR: scratch, WORKER_SCRATCH_FREE_MIB: '64' } })
})
afterAll(() => own.disposeAsync())

it('R9: fails no task when the scratch disk of one of two workers is full', async () => {
  const chance = createChance('full-disk')
  const tasks = scaled(60)
  disk.fill()
  expect(statfsSync(scratch).bavail * statfsSync(scratch).bsize).toBeLessThan(MiB)
  await waitFor(async () => (await readiness(worker)) === 503, { withinMs: 10_000, what: 'the worker to notice' })
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const { accepted, refused } = await startLoad(createClient(stack.url, key), { tasks, chance }).done
  expect(refused).toEqual([])
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  expect(await worker.metric('lathe_worker_paused')).toBe(1)
  await checkInvariants(stack, ownerId, accepted)

  disk.empty()
  await waitFor(async () => (await readiness(worker)) === 200, { withinMs: 10_000, what: 'the worker to go on' })
})

it('R9: fails no task when the scratch disk of one of two workers fills up under load', async () => {
  const chance = createChance('disk-fills-up')
  const tasks = scaled(90)
  const { key, ownerId } = await stack.createKey({ slots: tasks })
  const load = startLoad(createClient(stack.url, key), { tasks, chance })
  const enough = chance.between(10, 30)
  await waitFor(() => load.accepted.length >= enough, { withinMs: 60_000, everyMs: 5, what: 'some accepted tasks' })
  disk.fill()
  const { accepted, refused } = await load.done
  expect(refused).toEqual([])
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, accepted)
  disk.empty()
  await worker.stop('SIGTERM', 60_000)
})

async function readiness({ url }: AppProcess): Promise<number> {
  return (await fetch(new URL('/readyz', url))).status
}
