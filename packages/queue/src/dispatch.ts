import type { ObjectId } from '@lathe/domain'
import { type Logger, type Metrics, withDeadline } from '@lathe/runtime'
import type { QueueConfig } from './config.ts'
import { type Entry, type Pool, toBullJob } from './entry.ts'
import { offerFirst } from './offer-first.ts'
import { openQueue } from './open-queue.ts'
import { connectFast } from './redis.ts'
import { channels, type EventHint, formatHint } from './signals.ts'

/** Work for one pool, to be taken up after a delay. */
export interface Work {
  readonly pool: Pool
  readonly entry: Entry
  readonly delayMs: number
  readonly ownerId: ObjectId
}

/** Tells workers and waiters what there is to do. A hint: the truth is in PostgreSQL and nothing here ever throws. */
export interface Dispatch {
  enqueue(work: readonly Work[]): Promise<void>
  cancel(taskIds: readonly ObjectId[]): Promise<void>
  ended(ids: readonly ObjectId[]): Promise<void>
  /** Says that the log of events has grown. */
  told(hints: readonly EventHint[]): Promise<void>
}

// A caller waits at most this long for a hint to be taken; the reconciler repeats what was lost.
const deadlineMs = 1500
// One round trip carries this many entries at most, so that Redis is never blocked for long.
const batchSize = 500

/** Connects to the queues. Comes back at once, whether Redis is there or not. */
export function createDispatch(
  config: QueueConfig,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Dispatch & AsyncDisposable {
  const redis = connectFast(config.url, log)
  const queues = { transfer: openQueue('transfer', redis, config), process: openQueue('process', redis, config) }

  const add = (pool: Pool, batch: readonly Work[]) =>
    pool === 'process'
      ? offerFirst({ redis, queue: queues.process, prefix: config.prefix }, batch)
      : queues[pool].addBulk(batch.map(toBullJob))

  async function tell(kind: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await withDeadline(work(), deadlineMs)
    } catch (err) {
      metrics.dispatchFailures.inc({ kind })
      log.debug({ err }, 'redis did not take a hint')
    }
  }

  return {
    enqueue: async (work) => {
      for (const { pool, batch } of toBatches(work)) {
        await tell('enqueue', () => add(pool, batch))
      }
    },
    cancel: async (ids) => {
      if (ids.length > 0) await tell('cancel', () => redis.publish(channels(config.prefix).cancel, ids.join()))
    },
    ended: async (ids) => {
      if (ids.length > 0) await tell('ended', () => redis.publish(channels(config.prefix).ended, ids.join()))
    },
    told: async (hints) => {
      if (hints.length === 0) return
      await tell('events', () => redis.publish(channels(config.prefix).events, hints.map(formatHint).join()))
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(Object.values(queues).map((queue) => withDeadline(queue.close(), deadlineMs)))
      redis.disconnect()
    },
  }
}

function toBatches(work: readonly Work[]): { pool: Pool; batch: Work[] }[] {
  return (['transfer', 'process'] as const).flatMap((pool) => {
    const own = work.filter((item) => item.pool === pool)
    const starts = Array.from({ length: Math.ceil(own.length / batchSize) }, (_, index) => index * batchSize)
    return starts.map((start) => ({ pool, batch: own.slice(start, start + batchSize) }))
  })
}
