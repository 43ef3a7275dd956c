import type { ObjectId } from '@lathe/domain'
import { type Logger, type Metrics, withDeadline } from '@lathe/runtime'
import { type Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { QueueConfig } from './config.ts'
import type { Entry, Pool } from './entry.ts'
import { openStation } from './offer-station.ts'
import { connectPatient } from './redis.ts'
import { createRoom, type Room } from './room.ts'

export interface ConsumeOptions {
  readonly pools: readonly Pool[]
  /** How many entries of each pool are worked on at once. */
  readonly concurrency: number | Readonly<Partial<Record<Pool, number>>>
  /** Hears offers of process entries too, and takes them while fewer than this many are in hand. */
  readonly offers?: { readonly below: number; readonly metrics: Metrics }
  run(entry: Entry): Promise<void>
  readonly log: Logger
}

/** Takes entries from the queues until it is closed. Closing waits for what runs. */
export interface Consumer {
  /** Takes no more entries; what runs goes on. */
  pause(): Promise<void>
  /** Asks for the next tasks of an owner whose engine is warm here. Never throws. */
  noteWarm(ownerId: ObjectId): void
  readonly running: number
}

// How long an entry stays with a worker that died as it took it, and keeps others from having it: at most the lock,
// then two looks, of which the first only marks it, then the reconciler's next round: 11 s together.
const lockMs = 5_000
const lookMs = 2_000
// Closing tells Redis what ended; without Redis there is nobody to tell.
const closeMs = 3000

/** Starts workers for some pools. BullMQ only delivers here: no retries, and a stalled entry is dropped. */
export function consume(config: QueueConfig, options: ConsumeOptions): Consumer & AsyncDisposable {
  const redis = connectPatient(config.url, options.log)
  const copies = trackCopies(redis)
  const running = new Set<Promise<void>>()
  let isPaused = false

  async function work(entry: Entry, room: Room): Promise<void> {
    using _place = room.enter()
    try {
      await options.run(entry)
    } catch (err) {
      // Its truth is in PostgreSQL, where the reconciler finds it; for the queue the entry is done.
      options.log.error({ err, taskId: entry.task, attempt: entry.attempt }, 'entry could not be worked on')
    }
  }

  function start(entry: Entry, room: Room): void {
    const done = work(entry, room)
    running.add(done)
    void done.finally(() => running.delete(done))
  }

  const rooms = new Map(options.pools.map((pool) => [pool, createRoom(placesOf(options, pool))]))
  const workers = [...rooms].map(([pool, room]) =>
    openWorker(pool, redis, { config, log: options.log, start: (entry) => start(entry, room), room }),
  )
  const station = openOffers(config, options, (entry) => {
    const room = rooms.get('process')
    if (!room || isPaused || room.taken >= offersBelow(options)) return false
    start(entry, room)
    return true
  })

  async function pause(): Promise<void> {
    isPaused = true
    await Promise.allSettled(workers.map((worker) => withDeadline(worker.pause(true), closeMs)))
  }

  return {
    pause,
    noteWarm: (ownerId) => void station?.noteWarm(ownerId),
    get running() {
      return running.size
    },
    async [Symbol.asyncDispose]() {
      await pause()
      await Promise.allSettled(running)
      await station?.[Symbol.asyncDispose]()
      await Promise.allSettled(workers.map((worker) => closeWorker(worker)))
      for (const connection of [redis, ...copies]) connection.disconnect()
    },
  }
}

function placesOf({ concurrency }: ConsumeOptions, pool: Pool): number {
  return typeof concurrency === 'number' ? concurrency : (concurrency[pool] ?? 1)
}

// One place is left to the entry the queue may be handing out at that moment.
function offersBelow(options: ConsumeOptions): number {
  return Math.min(options.offers?.below ?? 0, placesOf(options, 'process') - 1)
}

function openOffers(config: QueueConfig, { pools, offers, log }: ConsumeOptions, accept: (entry: Entry) => boolean) {
  return offers && pools.includes('process') ? openStation(config, { accept, log, metrics: offers.metrics }) : undefined
}

interface WorkerParts {
  readonly config: QueueConfig
  readonly log: Logger
  readonly room: Room
  start(entry: Entry): void
}

/**
 * The queue's part ends when an entry is in hand: from there on the claim counts. It hands out one at a time, and the
 * next when there is room for it, so that what was offered and what was queued share one budget.
 */
function openWorker(pool: Pool, connection: Redis, { config, log, room, start }: WorkerParts): Worker<Entry> {
  async function hand({ data }: Job<Entry>): Promise<void> {
    start(data)
    await room.untilFree()
  }

  const worker = new Worker<Entry>(pool, hand, {
    connection,
    prefix: config.prefix,
    concurrency: 1,
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
  worker.on('error', (err) => log.debug({ err, pool }, 'queue worker'))
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
