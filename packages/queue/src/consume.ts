import { setTimeout as wait } from 'node:timers/promises'
import { type Logger, type Metrics, withDeadline } from '@lathe/runtime'
import { type Job, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { QueueConfig } from './config.ts'
import { type Entry, type Pool, type QueueName, queueOf } from './entry.ts'
import { createGate, type Gate } from './gate.ts'
import { createOfferLimit, type OfferLimit } from './offer-limit.ts'
import { openStation } from './offer-station.ts'
import { connectPatient } from './redis.ts'
import type { WarmFor } from './warm-notes.ts'

export interface ConsumeOptions<Slot extends Disposable = Disposable> {
  /** The queues to take entries from, and when. */
  readonly gates: ReadonlyMap<QueueName, Gate<Slot>>
  /** Whether to hear offers of process entries too, which pass the same gate. */
  readonly offers?: { readonly metrics: Metrics }
  /** Works on an entry. Its slot is freed when that is over, or before by `run` itself. */
  run(entry: Entry, slot: Slot): Promise<void>
  /** Whether an error of `run` passes by itself: the entry then stays in hand and is run again. */
  isTemporary?(error: unknown): boolean
  readonly log: Logger
}

/** Takes entries from the queues until it is closed. Closing waits for what runs. */
export interface Consumer {
  /** Takes no more entries; what runs goes on. */
  pause(): Promise<void>
  /** Asks for the next tasks of an owner whose engines of a family are warm here. Never throws. */
  noteWarm(warm: WarmFor): void
  readonly running: number
}

// How long an entry stays with a worker that died as it took it, and keeps others from having it: at most the lock,
// then two looks, of which the first only marks it, then the reconciler's next round: 11 s together.
const lockMs = 5_000
const lookMs = 2_000
// Closing tells Redis what ended; without Redis there is nobody to tell.
const closeMs = 3000
// Between two tries of an entry that waits for PostgreSQL: it should be back at work within a second.
const firstWaitMs = 100
const longestWaitMs = 1_000

/** Gates of some pools, for consumers that take as many entries of each as there are slots. */
export function gatesOf(slots: Readonly<Partial<Record<Pool, number>>>): ReadonlyMap<QueueName, Gate> {
  return new Map(
    (['transfer', 'process'] as const).flatMap((pool) => {
      const size = slots[pool]
      return size === undefined ? [] : [[queueOf(pool), createGate(size)] as const]
    }),
  )
}

/** Starts workers for some queues. BullMQ only delivers here: no retries, and a stalled entry is dropped. */
export function consume<Slot extends Disposable>(
  config: QueueConfig,
  options: ConsumeOptions<Slot>,
): Consumer & AsyncDisposable {
  const redis = connectPatient(config.url, options.log)
  const copies = trackCopies(redis)
  const running = new Set<Promise<void>>()
  const pausing = new AbortController()
  const { signal } = pausing

  /** An entry that PostgreSQL must hear of keeps its place until it can: the others stay in the queue meanwhile. */
  async function work(entry: Entry, slot: Slot): Promise<void> {
    using _slot = slot
    const facts = { taskId: entry.task, attempt: entry.attempt }
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      try {
        return await options.run(entry, slot)
      } catch (err) {
        // Its truth is in PostgreSQL, where the reconciler finds it; for the queue the entry is done.
        if (signal.aborted || !options.isTemporary?.(err))
          return options.log.error({ err, ...facts }, 'entry could not be worked on')
        options.log.debug({ err, ...facts }, 'entry waits for PostgreSQL')
      }
      await wait(waitMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
    }
  }

  function start(entry: Entry, slot: Slot): void {
    const done = work(entry, slot)
    running.add(done)
    void done.finally(() => running.delete(done))
  }

  const limits = new Map([...options.gates.keys()].filter(hearsOffers).map((name) => [name, createOfferLimit()]))
  const workers = [...options.gates].map(([name, gate]) =>
    openWorker(name, redis, { config, log: options.log, start, gate, offers: limits.get(name) }),
  )
  const station = openOffers(config, options, async (entry) => {
    const name = queueOf('process', 'quick', entry.family)
    const limit = limits.get(name)
    const { owner, rank = 1 } = entry
    const slot = signal.aborted || !limit?.isOpen(rank) ? undefined : await options.gates.get(name)?.enter(0, owner)
    if (!slot) return false
    limit?.noteOffer(rank)
    start(entry, slot)
    return true
  })

  async function pause(): Promise<void> {
    pausing.abort()
    await Promise.allSettled(workers.map((worker) => withDeadline(worker.pause(true), closeMs)))
  }

  return {
    pause,
    noteWarm: (warm) => void station?.noteWarm(warm),
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

function openOffers<Slot extends Disposable>(
  config: QueueConfig,
  { gates, offers, log }: ConsumeOptions<Slot>,
  accept: (entry: Entry) => Promise<boolean>,
) {
  const isHeard = offers && [...gates.keys()].some(hearsOffers)
  return isHeard ? openStation(config, { accept, log, metrics: offers.metrics }) : undefined
}

/** Whether entries of a queue are offered to workers before it has them: those of quick tasks that need an engine. */
function hearsOffers(name: QueueName): boolean {
  return name.endsWith('-quick')
}

interface WorkerParts<Slot extends Disposable> {
  readonly config: QueueConfig
  readonly log: Logger
  readonly gate: Gate<Slot>
  readonly offers: OfferLimit | undefined
  start(entry: Entry, slot: Slot): void
}

/**
 * The queue's part ends when an entry is in hand: from there on the claim counts. It hands out one at a time, and the
 * next when the gate opens, so that an entry which cannot be worked on here is left to workers that can.
 */
function openWorker<Slot extends Disposable>(
  name: QueueName,
  connection: Redis,
  { config, log, gate, offers, start }: WorkerParts<Slot>,
): Worker<Entry> {
  async function hand(job: Job<Entry>, token?: string): Promise<void> {
    const waitedMs = Date.now() - job.timestamp
    offers?.noteQueued(waitedMs)
    const slot = await gate.enter(waitedMs, job.data.owner)
    if (slot) start(job.data, slot)
    else await putBack(job, token)
    await gate.untilOpen(waitedMs)
    if (!slot) throw new WaitingError()
  }

  // Somebody else took the last slot between the look at the gate and the entry's arrival.
  async function putBack(job: Job<Entry>, token: string | undefined): Promise<void> {
    await job.moveToWait(token)
    // BullMQ wakes nobody for an entry with a priority that is put back.
    await connection.zadd(worker.toKey('marker'), 0, '0')
  }

  const worker = new Worker<Entry>(name, hand, {
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
  worker.on('drained', () => offers?.noteEmpty())
  // Lost locks and lost connections: both are the claim's business, not the queue's.
  worker.on('error', (err) => log.debug({ err, queue: name }, 'queue worker'))
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
