import { setTimeout as pause } from 'node:timers/promises'
import { isUnwritable } from '@lathe/database'
import { failure, isFailure } from '@lathe/domain'
import type { WorkerDesk, WriteEnd } from '@lathe/orchestrator'
import type { RunEnd, TaskRun } from './task-run.ts'

/** Stores how a task ended. An end that cannot be stored is replaced by one that can: the task must not stay open. */
export async function reportEnd(
  desk: Pick<WorkerDesk, 'complete' | 'fail'>,
  { claim, log, engine, times }: Pick<TaskRun, 'claim' | 'log' | 'engine' | 'times'>,
  end: RunEnd,
): Promise<WriteEnd> {
  const measured = { engineMs: engine.clock.ms, times: times.sum() }
  const attempt = { ...claim, ...measured }
  try {
    return await retryWrite(() =>
      isFailure(end) ? desk.fail(attempt, end) : desk.complete(claim.fence, { ...end, ...measured }, claim.standing),
    )
  } catch (err) {
    if (!isUnwritable(err)) throw err
    log.error({ err }, 'result of the task contains text that PostgreSQL cannot store')
    return retryWrite(() => desk.fail(attempt, failure('unwritable')))
  }
}

const retryMs = 60_000
const firstPauseMs = 250
const longestPauseMs = 5_000

/**
 * Retries until PostgreSQL accepts the report: the work is done, and a restart of the database should not lose it. If a
 * report was stored but its answer was lost, the second one is refused, which does no harm.
 */
async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  const limit = performance.now() + retryMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await write()
    } catch (error) {
      // The heartbeat will find a lease that no run holds, and requeue the task.
      if (isUnwritable(error) || performance.now() > limit) throw error
      await pause(pauseMs)
    }
  }
}
