import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { isAway } from '@lathe/database'
import { engineFamilies, type IdMint, lanes } from '@lathe/domain'
import { catalogVersion } from '@lathe/engines'
import { poolOf } from '@lathe/orchestrator'
import {
  consume,
  type Entry,
  formerQueueOf,
  type Gate,
  listenSignals,
  type Pool,
  type QueueConfig,
  type QueueName,
  queueOf,
} from '@lathe/queue'
import { withDeadline } from '@lathe/runtime'
import type { EngineSlot } from './engine-slots.ts'
import { startHeartbeat } from './heartbeat.ts'
import { createLeases } from './leases.ts'
import { createProgressReport } from './report-progress.ts'
import { runTask } from './run-task.ts'
import type { Services } from './services.ts'
import { traceAttempt } from './trace-attempt.ts'
import { createTransferGate, type TransferSlot, transferLimits } from './transfer-gate.ts'

const giveBackMs = 10_000

/**
 * Takes entries from the queue, turns each into a lease and runs it. Disposing drains: it takes no new entries, lets
 * running tasks continue for a while, and requeues the rest.
 */
export async function startWorker(
  services: Services,
  { queue, ids }: { queue: QueueConfig; ids: IdMint },
): Promise<AsyncDisposable> {
  const { work, desk, sandbox, log, metrics } = services
  await using stack = new AsyncDisposableStack()
  const leases = createLeases()
  const lacks = engineFamilies.filter((family) => !work.families.includes(family))
  const worker = {
    ...{ host: hostname(), pools: work.pools, sandboxLevel: sandbox.level, lacks, catalogVersion },
    ...(work.pools.includes('process') && { engines: work.engineTasks }),
  }
  const heartbeat = stack.use(await startHeartbeat({ desk, leases, ids, log, worker }))
  stack.use(listenSignals(queue, { onCancel: (taskId) => leases.stop(taskId) }, { log }))

  async function take({ task: taskId, attempt, family, rank = 1, ...known }: Entry, slot: Slot): Promise<void> {
    const fence = { taskId, attempt, workerId: heartbeat.workerId }
    // Held before the claim, so that a cancel between claim and run is not missed.
    using lease = leases.hold(fence)
    const claim = await desk.claim(fence, known)
    metrics.claims.inc({ outcome: claim ? 'won' : 'dropped' })
    if (!claim) return
    lease.noteClaim()
    const { pool: waitedIn, lane, ms } = claim.wait
    metrics.queueDuration.observe({ pool: waitedIn, lane }, ms / 1000)
    const { operation, jobId, ownerId } = claim.task
    const taskLog = log.child({ taskId, attempt, operation, ownerId, ...(jobId && { jobId }) })
    const pool = poolOf(operation)
    metrics.running.inc({ pool })
    const span = traceAttempt(services, claim)
    // Noted now, and again at the end, for a while: the owner's next task should reach the engine that is warm here.
    const noteWarm = () => pool === 'process' && consumer.noteWarm({ ownerId, family })
    noteWarm()
    try {
      const progress = createProgressReport(
        (reported) => void services.progress.tell({ id: taskId, jobId, ownerId }, reported),
      )
      const run = { claim, rank, signal: lease.signal, log: taskLog, progress, ...partsOf(slot), span }
      await runTask(services, run)
    } finally {
      span.end()
      noteWarm()
      metrics.running.dec({ pool })
    }
  }

  const gates = gatesOf(services)
  const consumer = stack.use(consume(queue, { gates, offers: { metrics }, run: take, isTemporary: isAway, log }))

  async function drain(): Promise<void> {
    await consumer.pause()
    const limit = performance.now() + work.drainMs
    while (consumer.running > 0 && performance.now() < limit) await pause(50)
    const left = leases.fences
    // What PostgreSQL does not receive is recovered when it misses this worker's heartbeats. The engines stop in any
    // case.
    const given = await Promise.allSettled(left.map((fence) => withDeadline(desk.giveBack(fence), giveBackMs)))
    leases.stopAll()
    const lost = given.filter(({ status }) => status === 'rejected').length
    if (left.length > 0) log.warn({ count: left.length - lost, lost }, 'tasks requeued')
  }

  stack.defer(drain)
  const all = stack.move()
  return { [Symbol.asyncDispose]: () => all.disposeAsync() }
}

type Slot = EngineSlot | TransferSlot

const partsOf = (slot: Slot) => ('lane' in slot ? { slot } : { transfer: slot })

/**
 * The queues that this worker serves. Of tasks that need an engine, it takes those of its families and those whose
 * family is not known yet. It requeues a task that turns out to need the engines of other workers.
 */
function gatesOf({ work, engineSlots, pauses }: Services): ReadonlyMap<QueueName, Gate<Slot>> {
  const transfer = createTransferGate(transferLimits(work.transferTasks), () => pauses.has('clock'))
  const gates: Readonly<Record<Pool, readonly (readonly [QueueName, Gate<Slot>])[]>> = {
    transfer: [
      [queueOf('transfer'), transfer],
      [formerQueueOf('transfer'), transfer],
    ],
    process: lanes.flatMap((lane) =>
      [
        formerQueueOf('process', lane),
        queueOf('process', lane),
        ...work.families.map((family) => queueOf('process', lane, family)),
      ].map((name) => [name, engineSlots.gates[lane]] as const),
    ),
  }
  return new Map(work.pools.flatMap((pool) => gates[pool]))
}
