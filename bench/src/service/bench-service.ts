import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@lathe/testing'
import { fixturePath, makeLargePhoto } from '../../../fixtures/fixtures.ts'
import { createClient } from '../parts/client.ts'
import { type Measure, say } from '../parts/measure.ts'
import { stackMeter } from '../parts/stack-cpu.ts'
import { measureLatency } from './latency.ts'
import { measureLatencyFloor } from './latency-floor.ts'
import { measureStateMachine } from './state-machine.ts'
import { measureThroughput } from './throughput.ts'

/** Slots of the one user: enough that no conversion waits for admission. */
const slots = 16
const parts = ['states', 'latency', 'small', 'large'] as const

/** Compares the whole service with the plain tools in one run; `only` selects some of its parts. */
export async function benchService(
  report: (measures: readonly Measure[]) => void,
  only: readonly string[] = [],
): Promise<void> {
  const wants = (part: (typeof parts)[number]) => only.length === 0 || only.includes(part)
  if (wants('states')) report(await measureStateMachine())
  if (!wants('latency') && !wants('small') && !wants('large')) return
  await using own = new AsyncDisposableStack()
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-bench-')), (made) => rm(made, { recursive: true }))
  const stack = own.use(
    await startStack({ privatePostgres: true, env: { DATABASE_CONNECTIONS: '16', WORKER_CONCURRENCY: '0' } }),
  )
  say(`the service answers at ${stack.url}`)
  const client = createClient(stack.url, (await stack.createKey({ slots })).key)
  if (wants('latency')) {
    const photo = fixturePath('photo-100k.jpg')
    report(await measureLatency(client, photo, folder))
    report(await measureLatencyFloor(stack, photo))
  }
  const meterCpu = await stackMeter(stack)
  const small = { name: 'small', path: fixturePath('photo-40k.jpg'), tasks: 100, rounds: 5, goal: 0.8, meterCpu }
  if (wants('small')) report(await measureThroughput(client, small, folder))
  if (!wants('large')) return
  const large = { name: 'large', path: await makeLargePhoto(folder), tasks: 34, rounds: 3, goal: 0.85 }
  report(await measureThroughput(client, large, folder))
}
