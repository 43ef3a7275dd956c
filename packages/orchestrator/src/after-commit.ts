import { isOpen } from '@lathe/domain'
import type { Context } from './context.ts'
import { toWork } from './pools.ts'
import type { Settled } from './settle-tasks.ts'

/**
 * Publishes what was committed. All of it is a hint: if the process dies here, the reconciler queues the admitted
 * tasks, heartbeats revoke the leases, and waiting requests and listeners poll.
 */
export async function announce({ dispatch, metrics }: Context, settled: Settled): Promise<void> {
  const { effects, before, admitted, reported } = settled
  const ended = effects.moves.filter(({ to }) => !isOpen(to))
  for (const { id, to, cause } of ended) {
    metrics.tasksEnded.inc({ operation: before.get(id)?.operation ?? '', status: to, reason: cause ?? '' })
  }
  const interrupted = ended.filter(({ id, to }) => to !== 'completed' && before.get(id)?.workerId)
  const endedJobs = effects.jobs.filter(({ status }) => status === 'completed' || status === 'failed')
  await Promise.all([
    dispatch.enqueue(admitted.map((task) => toWork(task))),
    dispatch.cancel(interrupted.map(({ id }) => id)),
    dispatch.reported(
      reported,
      [...ended, ...endedJobs].map(({ id }) => id),
    ),
  ])
}
