import type { Lane, ObjectId } from '@lathe/domain'
import { type Logger, type Metrics, withDeadline } from '@lathe/runtime'
import type { QueueConfig } from './config.ts'
import { type Entry, type Pool, type QueueName, queueNames, queueOf } from './entry.ts'
import { offerFirst } from './offer-first.ts'
import { addEntries, openQueue } from './open-queue.ts'
import { connectFast, createRefusalLog } from './redis.ts'
import { channels, type EventHint, formatChanges } from './signals.ts'
import { createStationFinder } from './warm-notes.ts'

/** Work for one pool, to start after a delay. */
export interface Work {
  readonly pool: Pool
  /** Which queue of the process pool. Default: `quick`. */
  readonly lane?: Lane
  readonly entry: Entry
  readonly delayMs: number
  readonly ownerId: ObjectId
}

/** Notifies workers and waiting clients. These are only hints: the state is in PostgreSQL, and nothing here throws. */
export interface Dispatch {
  enqueue(work: readonly Work[]): Promise<void>
  cancel(taskIds: readonly ObjectId[]): Promise<void>
  /** Reports new events in the log, and which tasks and jobs have ended. */
  reported(hints: readonly EventHint[], ended?: readonly ObjectId[]): Promise<void>
}

// A caller waits at most this long until a hint is sent; the reconciler repeats lost ones.
const deadlineMs = 1500
// The most entries per round trip, so that Redis is never blocked for long.
const batchSize = 500

/** Connects to the queues. Returns immediately, whether or not Redis is available. */
export function createDispatch(
  config: QueueConfig,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Dispatch & AsyncDisposable {
  const redis = connectFast(config.url, log)
  const noteRefusal = createRefusalLog(log)
  const stations = createStationFinder(redis, config.prefix)
  const queues = new Map(queueNames.map((name) => [name, openQueue(name, redis, config)]))

  // Only quick tasks benefit from a warm engine. An offer would bypass the gates of the others.
  async function add({ name, batch, isOffered }: Batch): Promise<void> {
    const queue = queues.get(name)
    if (queue && isOffered) await offerFirst({ redis, queue, prefix: config.prefix, stations }, batch)
    else if (queue) await addEntries(queue, batch)
  }

  async function tell(kind: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await withDeadline(work(), deadlineMs)
    } catch (err) {
      metrics.dispatchFailures.inc({ kind })
      noteRefusal(err, { hint: kind })
      log.debug({ err }, 'hint not sent to redis')
    }
  }

  return {
    enqueue: async (work) => {
      for (const batch of toBatches(work)) await tell('enqueue', () => add(batch))
    },
    cancel: async (ids) => {
      if (ids.length > 0) await tell('cancel', () => redis.publish(channels(config.prefix).cancel, ids.join()))
    },
    reported: async (hints, ended = []) => {
      if (hints.length + ended.length === 0) return
      await tell('events', () => redis.publish(channels(config.prefix).events, formatChanges({ hints, ended })))
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([...queues.values()].map((queue) => withDeadline(queue.close(), deadlineMs)))
      redis.disconnect()
    },
  }
}

/** Work for one queue. */
interface Batch {
  readonly name: QueueName
  readonly batch: readonly Work[]
  /** Whether the entries are first offered to workers with a warm engine. */
  readonly isOffered: boolean
}

function toBatches(work: readonly Work[]): readonly Batch[] {
  return [...Map.groupBy(work, ({ pool, lane, entry }) => queueOf(pool, lane, entry.family))].flatMap(([name, own]) => {
    const isOffered = own[0]?.pool === 'process' && (own[0].lane ?? 'quick') === 'quick'
    const starts = Array.from({ length: Math.ceil(own.length / batchSize) }, (_, index) => index * batchSize)
    return starts.map((start) => ({ name, batch: own.slice(start, start + batchSize), isOffered }))
  })
}
