import { readFileSync } from 'node:fs'
import { type AppProcess, engineHostOf, startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { stillAlive, untilEngineRuns } from './support/engine-processes.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { listTaskRows, untilSettled } from './support/record.ts'
import { startSlowTask } from './support/slow-task.ts'

const hostOf = (worker: AppProcess | undefined) => (worker ? engineHostOf(worker.pid) : undefined)
const environOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8')

it('S4: fails and loses nothing when the engine host is killed in the middle of tasks', async () => {
  const chance = createChance('kill-engine-host')
  await using stack = await startStack({ appEnv: { worker: { ENGINE_HOST: 'own' } } })
  const [worker] = stack.apps('worker')
  if (!worker) throw new Error('there is no worker')
  const tasks = scaled(60)
  const { key, ownerId } = await stack.createKey({ slots: tasks + 1 })
  const client = createClient(stack.url, key)

  const before = hostOf(worker)
  expect(before, 'an engine host below the worker').toBeDefined()
  expect(environOf(worker.pid)).toContain('LATHE_SECRET')
  expect(environOf(before?.pid ?? 0)).not.toMatch(/SECRET|DATABASE|REDIS|S3_/)

  const slow = await startSlowTask(client)
  const engine = await untilEngineRuns(stack, worker)
  const load = startLoad(client, { tasks, chance })
  await waitFor(() => load.accepted.length >= tasks / 3, { withinMs: 60_000, everyMs: 5, what: 'some accepted tasks' })
  process.kill(before?.pid ?? -1, 'SIGKILL')
  await waitFor(() => stillAlive(engine).length === 0, { withinMs: 5_000, what: 'the end of the engines' })
  await waitFor(() => hostOf(worker) !== undefined, { withinMs: 60_000, what: 'another engine host' })
  expect(hostOf(worker)?.pid).not.toBe(before?.pid)

  const { accepted, refused } = await load.done
  expect(refused).toEqual([])
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, [slow.id, ...accepted])
  await checkNothingLeft(stack)
})
