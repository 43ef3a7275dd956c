import { type Logger, withDeadline } from '@lathe/runtime'
import { type Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { QueueConfig } from './config.ts'
import type { Entry, Pool } from './entry.ts'
import { connectPatient } from './redis.ts'

export interface ConsumeOptions {
  readonly pools: readonly Pool[]
  /** How many entries of each pool are worked on at once. */
  readonly concurrency: number | Readonly<Partial<Record<Pool, number>>>
  run(entry: Entry): Promise<void>
  readonly log: Logger
}

/** Takes entries from the queues until it is closed. Closing waits for what runs. */
export interface Consumer {
  /** Takes no more entries; what runs goes on. */
  pause(): Promise<void>
  readonly running: number
}

// How long an entry stays with a worker that died before it claimed the task, and keeps others from having it:
// at most the lock, then two looks, of which the first only marks it, then the reconciler's next round: 11 s together.
const lockMs = 5_000
const lookMs = 2_000
// Closing tells Redis what ended; without Redis there is nobody to tell.
const closeMs = 3000

/** Starts workers for some pools. BullMQ only delivers here: no retries, and a stalled entry is dropped. */
export function consume(config: QueueConfig, options: ConsumeOptions): Consumer & AsyncDisposable {
  const redis = connectPatient(config.url, options.log)
  const copies = trackCopies(redis)
  const running = new Set<Promise<void>>()

  async function process(job: Job<Entry>): Promise<void> {
    const work = options.run(job.data)
    running.add(work)
    try {
      await work
    } catch (err) {
      // Its truth is in PostgreSQL, where the reconciler finds it; for the queue the entry is done.
      options.log.error({ err, taskId: job.data.task, attempt: job.data.attempt }, 'entry could not be worked on')
    } finally {
      running.delete(work)
    }
  }

  const workers = options.pools.map((pool) => openWorker(pool, redis, { config, options, process }))
  const pause = async () =>
    void (await Promise.allSettled(workers.map((worker) => withDeadline(worker.pause(true), closeMs))))

  return {
    pause,
    get running() {
      return running.size
    },
    async [Symbol.asyncDispose]() {
      await pause()
      await Promise.allSettled(running)
      await Promise.allSettled(workers.map((worker) => closeWorker(worker)))
      for (const connection of [redis, ...copies]) connection.disconnect()
    },
  }
}

interface WorkerParts {
  readonly config: QueueConfig
  readonly options: ConsumeOptions
  process(job: Job<Entry>): Promise<void>
}

function openWorker(pool: Pool, connection: Redis, { config, options, process }: WorkerParts): Worker<Entry> {
  const worker = new Worker<Entry>(pool, process, {
    connection,
    prefix: config.prefix,
    concurrency: typeof options.concurrency === 'number' ? options.concurrency : (options.concurrency[pool] ?? 1),
    lockDuration: lockMs,
    stalledInterval: lookMs,
    maxStalledCount: 0,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    skipVersionCheck: true,
    // The default of 15 s is how long a worker would sleep after a Redis that was gone for a moment.
    runRetryDelay: 500,
  })
  // Lost locks and lost connections: both are the claim's business, not the queue's.
  worker.on('error', (err) => options.log.debug({ err, pool }, 'queue worker'))
  return worker
}

// A worker that never saw Redis waits for it even to close; its connections are then cut without waiting.
async function closeWorker(worker: Worker<Entry>): Promise<void> {
  await Promise.allSettled([withDeadline(worker.close(), closeMs)])
}

// BullMQ copies the connection for its blocking reads, and keeps the copy alive while Redis is away: so do we know it.
function trackCopies(redis: Redis): readonly Redis[] {
  const copies: Redis[] = []
  const duplicate = redis.duplicate.bind(redis)
  redis.duplicate = (options) => {
    const copy = duplicate(options)
    copies.push(copy)
    return copy
  }
  return copies
}
