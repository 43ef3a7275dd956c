import { setTimeout as wait } from 'node:timers/promises'
import { type Logger, type Metrics, withDeadline } from '@lathe/runtime'
import { type Job, WaitingError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { QueueConfig } from './config.ts'
import { type Entry, type Pool, pools, type QueueName, queueOf } from './entry.ts'
import { createGate, type Gate } from './gate.ts'
import { createOfferLimit, type OfferLimit } from './offer-limit.ts'
import { openStation } from './offer-station.ts'
import { connectWorkers, createRefusalLog } from './redis.ts'
import type { WarmFor } from './warm-notes.ts'

export interface ConsumeOptions<Slot extends Disposable = Disposable> {
  /** The queues to take entries from, with the gate of each. */
  readonly gates: ReadonlyMap<QueueName, Gate<Slot>>
  /** Also receives offers of process entries, which pass the same gate. */
  readonly offers?: { readonly metrics: Metrics }
  /** Runs an entry. The slot is freed when this ends, or earlier by `run` itself. */
  run(entry: Entry, slot: Slot): Promise<void>
  /** Whether an error of `run` is temporary: the entry then keeps its slot and is run again. */
  isTemporary?(error: unknown): boolean
  readonly log: Logger
}

/** Takes entries from the queues until it is closed. Closing waits for running entries. */
export interface Consumer {
  /** Takes no more entries; running entries continue. */
  pause(): Promise<void>
  /** Asks for the next tasks of an owner that has warm engines of a family here. Never throws. */
  noteWarm(warm: WarmFor): void
  readonly running: number
}

// If a worker dies while it takes an entry, the entry is blocked for at most 11 s: the lock, two stalled checks, of
// which the first only marks the entry, and the reconciler's next round.
const lockMs = 5_000
const lookMs = 2_000
// Closing reports to Redis what ended; it must not wait for a Redis that is unavailable.
const closeMs = 3000
// Delays between attempts while PostgreSQL is unavailable: the entry should run within a second after it is back.
const firstWaitMs = 100
const longestWaitMs = 1_000

/** Gates for consumers with a fixed number of slots per pool. */
export function gatesOf(slots: Readonly<Partial<Record<Pool, number>>>): ReadonlyMap<QueueName, Gate> {
  return new Map(
    pools.flatMap((pool) => {
      const size = slots[pool]
      return size === undefined ? [] : [[queueOf(pool), createGate(size)] as const]
    }),
  )
}

/** Starts workers for some queues. BullMQ only delivers: it never retries, and drops a stalled entry. */
export function consume<Slot extends Disposable>(
  config: QueueConfig,
  options: ConsumeOptions<Slot>,
): Consumer & AsyncDisposable {
  const redis = connectWorkers(config.url, options.log)
  const running = new Set<Promise<void>>()
  const pausing = new AbortController()
  const { signal } = pausing

  /**
   * While PostgreSQL is unavailable, an entry keeps its slot and is tried again; the other entries stay in the queue.
   */
  async function work(entry: Entry, slot: Slot): Promise<void> {
    using _slot = slot
    const facts = { taskId: entry.task, attempt: entry.attempt }
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      try {
        return await options.run(entry, slot)
      } catch (err) {
        // For the queue the entry is done: the task's state is in PostgreSQL, where the reconciler finds it.
        if (signal.aborted || !options.isTemporary?.(err))
          return options.log.error({ err, ...facts }, 'queue entry failed by an internal error')
        options.log.debug({ err, ...facts }, 'queue entry delayed, PostgreSQL unavailable')
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
      redis.disconnectAll()
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

/** Whether entries of a queue are offered to workers first: only quick tasks that need an engine are. */
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
 * The queue is done with an entry once a worker has it: from then on the claim decides. A worker takes one entry at a
 * time, and the next when the gate opens, so that entries it cannot run yet stay free for other workers.
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

  // The last slot was taken between the check of the gate and the arrival of the entry.
  async function putBack(job: Job<Entry>, token: string | undefined): Promise<void> {
    await job.moveToWait(token)
    // BullMQ does not wake a worker when an entry with a priority is put back.
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
    // With the default of 15 s, a worker would sleep that long after Redis was unavailable for a moment.
    runRetryDelay: 500,
  })
  worker.on('drained', () => offers?.noteEmpty())
  // Lost locks and connections do not matter here: the claim decides who runs a task.
  const noteRefusal = createRefusalLog(log)
  worker.on('error', (err) => {
    noteRefusal(err, { queue: name })
    log.debug({ err, queue: name }, 'queue worker')
  })
  return worker
}

// A worker that never reached Redis waits for it even when closing; its connections are then cut without waiting.
async function closeWorker(worker: Worker<Entry>): Promise<void> {
  await Promise.allSettled([withDeadline(worker.close(), closeMs)])
}
