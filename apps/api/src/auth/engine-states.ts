import type { LivingWorker, QueueState, RunningState } from '@lathe/database'
import { type EngineFamily, engineFamilies } from '@lathe/domain'

/** A family of engines: how many workers serve it, and its tasks. */
export interface EngineState {
  readonly family: EngineFamily
  readonly workers: number
  readonly running: number
  readonly waiting: number
  /** How long the oldest of the waiting tasks has waited. */
  readonly oldestMs: number
}

/** The families of engines that a worker serves. */
export function servedBy({ pools, lacks }: Pick<LivingWorker, 'pools' | 'lacks'>): readonly EngineFamily[] {
  return pools.includes('process') ? engineFamilies.filter((family) => !lacks.includes(family)) : []
}

/** Every family of engines with its workers and tasks, also those that no worker serves. */
export function toEngineStates(
  workers: readonly Pick<LivingWorker, 'pools' | 'lacks'>[],
  running: readonly RunningState[],
  queues: readonly Pick<QueueState, 'family' | 'waiting' | 'oldestMs'>[],
): readonly EngineState[] {
  return engineFamilies.map((family) => {
    const own = queues.filter((queue) => queue.family === family)
    return {
      family,
      workers: workers.filter((worker) => servedBy(worker).includes(family)).length,
      running: running.find((one) => one.family === family)?.running ?? 0,
      waiting: own.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestMs: Math.max(0, ...own.map(({ oldestMs }) => oldestMs)),
    }
  })
}
