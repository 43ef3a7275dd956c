import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mostProgramsAhead } from '@lathe/sandbox'
import { type AppProcess, openPlanBench, type Stack, startStack, waitFor } from '@lathe/testing'
import { type Client, createClient } from '../client.ts'
import { createSamples, type Samples } from '../samples/samples.ts'
import { countSandboxes, findBelongings, findWorkerName, listBelongings } from './belongings.ts'
import { findEndFaults } from './end-faults.ts'

/** The whole service with one worker, monitored. */
export interface ProvedService extends AsyncDisposable {
  readonly stack: Stack
  readonly worker: AppProcess
  readonly clients: readonly Client[]
  readonly samples: Samples
  /** Everything that is wrong once all work has ended. Call it last, because it stops the worker. */
  findFaults(): Promise<readonly string[]>
}

const engineTasks = 2
// Two runners are kept warm, each with one instance more than can be busy; two browsers wait for their page, and
// programs for their arguments.
const mostWarm = 2 * (engineTasks + 1) + 2 + mostProgramsAhead

/** Starts the service for a number of users; more settings can be passed to the worker. */
export async function startProvedService(
  users: number,
  workerEnv: Readonly<Record<string, string>> = {},
): Promise<ProvedService> {
  await using own = new AsyncDisposableStack()
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-proof-')), (made) => rm(made, { recursive: true }))
  const bench = own.use(await openPlanBench())
  const stack = own.use(
    await startStack({ appEnv: { worker: { WORKER_CONCURRENCY: `${engineTasks}`, ...workerEnv } } }),
  )
  const keys = await Promise.all(Array.from({ length: users }, () => stack.createKey({ slots: 8 })))
  const recordFile = join(folder, 'exercised')
  const clients = keys.map(({ key }) => createClient({ url: stack.url, key, recordFile }))
  const [worker] = stack.apps('worker')
  if (!worker) throw new Error('the stack has no worker')
  const { pid } = worker
  const name = findWorkerName(stack, worker)
  const all = own.move()

  async function findFaults(): Promise<readonly string[]> {
    const faults = await findEndFaults(stack)
    if (!worker?.isRunning || worker.pid !== pid) return [...faults, 'the worker did not live']
    const isIdle = () => countSandboxes(findBelongings(stack, name)) <= mostWarm
    await waitFor(isIdle, { withinMs: 30_000, what: 'idleness' }).catch(() => {
      faults.push(`${countSandboxes(findBelongings(stack, name))} sandboxes are left, where ${mostWarm} may be warm`)
    })
    const code = await worker.stop('SIGTERM', 90_000)
    if (code !== 0) faults.push(`the worker ended with ${code}`)
    const isGone = () => listBelongings(findBelongings(stack, name)).length === 0
    await waitFor(isGone, { withinMs: 10_000, what: 'the end of everything' }).catch(() => {})
    return [...faults, ...listBelongings(findBelongings(stack, name)).map((entry) => `left behind: ${entry}`)]
  }

  return {
    stack,
    worker,
    clients,
    samples: createSamples(bench),
    findFaults,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
