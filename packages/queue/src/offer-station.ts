import { randomBytes } from 'node:crypto'
import { type EngineFamily, engineFamilies } from '@lathe/domain'
import { type Logger, type Metrics, withDeadline } from '@lathe/runtime'
import type { QueueConfig } from './config.ts'
import { type Entry, queueOf } from './entry.ts'
import { openQueue, promoteEntry, removeEntry } from './open-queue.ts'
import { connectFast, connectPatient, keepSubscribed } from './redis.ts'
import { noteStation, offerChannel, type WarmFor } from './warm-notes.ts'

export interface StationParts {
  /** Takes an entry immediately; false if there is no slot for it. */
  accept(entry: Entry): Promise<boolean>
  readonly log: Logger
  readonly metrics: Metrics
}

/** Receives offers of entries for owners with warm engines here. Offers are only hints, and nothing throws. */
export interface OfferStation extends AsyncDisposable {
  /** Asks for the owner's next tasks of the family. */
  noteWarm(warm: WarmFor): Promise<void>
}

const deadlineMs = 1500
// A note expires after 5 s. Renewed this often it never does, however many tasks the owner has.
const renewMs = 2_000
const mostNotes = 10_000

/** Opens a station with a random name: a consumer that is gone receives nothing, and nothing waits for it. */
export function openStation(config: QueueConfig, { accept, log, metrics }: StationParts): OfferStation {
  const station = randomBytes(12).toString('hex')
  const redis = connectFast(config.url, log)
  const listener = connectPatient(config.url, log)
  const families: readonly (EngineFamily | undefined)[] = [undefined, ...engineFamilies]
  const queues = new Map(
    families.map((family) => [family, openQueue(queueOf('process', 'quick', family), redis, config)]),
  )

  async function hint(kind: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await withDeadline(work(), deadlineMs)
    } catch (err) {
      metrics.dispatchFailures.inc({ kind })
      log.debug({ err }, 'hint not sent to redis')
    }
  }

  // If accepted, no other worker needs the entry. If refused, no other worker should wait for us.
  async function answer(entry: Entry): Promise<void> {
    const isTaken = await accept(entry)
    metrics.offers.inc({ outcome: isTaken ? 'taken' : 'refused' })
    const queue = queues.get(entry.family)
    if (!queue) return
    await hint('offer', () => (isTaken ? removeEntry(queue, entry) : promoteEntry(queue, entry)))
  }

  listener.on('message', (_: string, message: string) => {
    for (const entry of JSON.parse(message) as Entry[]) void answer(entry)
  })
  void keepSubscribed(listener, [offerChannel(config.prefix, station)])

  const notedAt = new Map<string, number>()

  async function noteWarm(warm: WarmFor): Promise<void> {
    const [now, subject] = [performance.now(), `${warm.ownerId} ${warm.family}`]
    if (now - (notedAt.get(subject) ?? Number.NEGATIVE_INFINITY) < renewMs) return
    if (notedAt.size >= mostNotes) notedAt.clear()
    notedAt.set(subject, now)
    await hint('warm', () => noteStation(redis, config.prefix, warm, station))
  }

  return {
    noteWarm,
    async [Symbol.asyncDispose]() {
      listener.disconnect()
      await Promise.allSettled([...queues.values()].map((queue) => withDeadline(queue.close(), deadlineMs)))
      redis.disconnect()
    },
  }
}
