import {
  countWorkers,
  type Database,
  oldestTransactionMs,
  partitionsAheadMs,
  readBacklog,
  readDueDeliveries,
  readQueues,
} from '@lathe/database'
import { engineFamilies, firstIdAt, lanes, oldestWithFilesAt } from '@lathe/domain'
import { pools } from '@lathe/queue'
import type { Clock, Metrics } from '@lathe/runtime'

/** Reads metrics from the database; only the leader does this. */
export interface Observer {
  observe(): Promise<number>
  /** Clears what was read: a process that no longer leads must not keep showing it. */
  forget(): void
}

interface ObserverParts {
  readonly database: Pick<Database, 'pool'>
  readonly clock: Clock
  readonly metrics: Metrics
}

// The most rows of each kind that are read; a gauge with this value means "at least".
const most = 10_000

/** The lanes and families of a pool: transfers need no engine, and all of them are quick. */
function kindsOf(pool: (typeof pools)[number]) {
  if (pool === 'transfer') return [{ lane: 'quick', family: 'any' }]
  return lanes.flatMap((lane) => ['any', ...engineFamilies].map((family) => ({ lane, family })))
}

export function createObserver({ database: { pool: db }, clock, metrics }: ObserverParts): Observer {
  async function observeQueues(): Promise<void> {
    const since = firstIdAt(oldestWithFilesAt(clock.now()))
    const [queues, backlog] = await Promise.all([
      readQueues(db, { pools, since, most }),
      readBacklog(db, { since, most }),
    ])
    // Empty queues show 0, so that alerts and autoscalers need not wait for a series to appear.
    for (const pool of pools) {
      for (const { lane, family } of kindsOf(pool)) {
        const own = queues.filter((queue) => queue.pool === pool && queue.lane === lane)
        const found = own.find((queue) => (queue.family ?? 'any') === family)
        metrics.waiting.set({ pool, lane, family }, found?.waiting ?? 0)
        metrics.oldestWait.set({ pool, lane, family }, (found?.oldestMs ?? 0) / 1000)
      }
    }
    metrics.backlog.set(backlog.tasks)
    metrics.ownersBacklogged.set(backlog.owners)
    metrics.largestBacklog.set(backlog.largest)
  }

  async function observeWorkers(): Promise<void> {
    const counts = new Map((await countWorkers(db)).map(({ sandboxLevel, count }) => [sandboxLevel, count]))
    for (const level of [0, 1, 2, 3]) metrics.workers.set({ sandbox_level: level }, counts.get(level) ?? 0)
  }

  async function observeDatabase(): Promise<void> {
    const [aheadMs, transactionMs, { due, oldestMs }] = await Promise.all([
      partitionsAheadMs(db, clock.now()),
      oldestTransactionMs(db),
      readDueDeliveries(db, most),
    ])
    metrics.partitionsAhead.set(aheadMs / 1000)
    metrics.oldestTransaction.set(transactionMs / 1000)
    metrics.deliveriesDue.set(due)
    metrics.oldestDelivery.set(oldestMs / 1000)
  }

  return {
    async observe() {
      await Promise.all([observeQueues(), observeWorkers(), observeDatabase()])
      return 0
    },
    forget() {
      const { waiting, oldestWait, workers, backlog, ownersBacklogged, largestBacklog } = metrics
      for (const gauge of [waiting, oldestWait, workers, backlog, ownersBacklogged, largestBacklog]) gauge.reset()
      const { partitionsAhead, oldestTransaction, deliveriesDue, oldestDelivery } = metrics
      for (const gauge of [partitionsAhead, oldestTransaction, deliveriesDue, oldestDelivery]) gauge.reset()
    },
  }
}
