import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type IdMint, kindOf } from '@lathe/domain'
import { consume, type Entry, listenSignals, type QueueConfig } from '@lathe/queue'
import { withDeadline } from '@lathe/runtime'
import { startHeartbeat } from './heartbeat.ts'
import { createLeases } from './leases.ts'
import { createProgressReport } from './report-progress.ts'
import { runTask } from './run-task.ts'
import type { Services } from './services.ts'

const giveBackMs = 10_000

/**
 * Takes entries from the queue, turns each into a lease and works on it. Disposing drains: no new entries, a
 * while for what runs, then the rest is given back for others.
 */
export async function startWorker(
  services: Services,
  { queue, ids }: { queue: QueueConfig; ids: IdMint },
): Promise<AsyncDisposable> {
  const { work, desk, sandbox, log, metrics } = services
  await using stack = new AsyncDisposableStack()
  const leases = createLeases()
  const worker = { host: hostname(), pools: work.pools, sandboxLevel: sandbox.level }
  const heartbeat = stack.use(await startHeartbeat({ desk, leases, ids, log, worker }))
  stack.use(listenSignals(queue, { onCancel: (taskId) => leases.stop(taskId) }, { log }))

  async function take({ task: taskId, attempt }: Entry): Promise<void> {
    const fence = { taskId, attempt, workerId: heartbeat.workerId }
    // Held before it is claimed, so that a cancel between claim and run is not missed.
    using lease = leases.hold(fence)
    const claim = await desk.claim(fence)
    metrics.claims.inc({ outcome: claim ? 'won' : 'dropped' })
    if (!claim) return
    lease.noteClaim()
    const { operation, jobId, ownerId } = claim.task
    const taskLog = log.child({ taskId, attempt, operation, ownerId, ...(jobId && { jobId }) })
    const pool = kindOf(operation) === 'process' ? 'process' : 'transfer'
    metrics.running.inc({ pool })
    // From now on, and again at the end, for a while: the owner's next task should meet the engine that is warm here.
    const noteWarm = () => pool === 'process' && consumer.noteWarm(ownerId)
    noteWarm()
    try {
      const progress = createProgressReport((told) => void services.progress.tell({ id: taskId, jobId, ownerId }, told))
      await runTask(services, { claim, signal: lease.signal, log: taskLog, progress })
    } finally {
      noteWarm()
      metrics.running.dec({ pool })
    }
  }

  // An engine must be free, or the task would wait here while another worker may be idle.
  const offers = { below: work.engineTasks, metrics }
  const concurrency = { process: work.processTasks, transfer: work.transferTasks }
  const consumer = stack.use(consume(queue, { pools: work.pools, concurrency, offers, run: take, log }))

  async function drain(): Promise<void> {
    await consumer.pause()
    const limit = performance.now() + work.drainMs
    while (consumer.running > 0 && performance.now() < limit) await pause(50)
    const left = leases.fences
    // What PostgreSQL does not hear of now is recovered when it misses this worker: the engines stop all the same.
    const given = await Promise.allSettled(left.map((fence) => withDeadline(desk.giveBack(fence), giveBackMs)))
    leases.stopAll()
    const lost = given.filter(({ status }) => status === 'rejected').length
    if (left.length > 0) log.warn({ count: left.length - lost, lost }, 'tasks were given back')
  }

  stack.defer(drain)
  const all = stack.move()
  return { [Symbol.asyncDispose]: () => all.disposeAsync() }
}
