import { randomBytes } from 'node:crypto'
import type { ObjectId } from '@lathe/domain'
import { type Logger, type Metrics, withDeadline } from '@lathe/runtime'
import type { QueueConfig } from './config.ts'
import type { Entry } from './entry.ts'
import { openQueue, promoteEntry, removeEntry } from './open-queue.ts'
import { connectFast, connectPatient } from './redis.ts'
import { noteStation, offerChannel } from './warm-notes.ts'

export interface StationParts {
  /** Takes an entry at once, or says that there is no room for it. */
  accept(entry: Entry): boolean
  readonly log: Logger
  readonly metrics: Metrics
}

/** Hears offers of entries for owners whose engines are warm here. All of it is a hint, and nothing throws. */
export interface OfferStation extends AsyncDisposable {
  /** Asks for the owner's next tasks. */
  noteWarm(ownerId: ObjectId): Promise<void>
}

const deadlineMs = 1500

/** Opens a station of its own name: a consumer that is gone hears nothing, and nothing waits for it. */
export function openStation(config: QueueConfig, { accept, log, metrics }: StationParts): OfferStation {
  const station = randomBytes(12).toString('hex')
  const redis = connectFast(config.url, log)
  const listener = connectPatient(config.url, log)
  const queue = openQueue('process', redis, config)

  async function hint(kind: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await withDeadline(work(), deadlineMs)
    } catch (err) {
      metrics.dispatchFailures.inc({ kind })
      log.debug({ err }, 'redis did not take a hint')
    }
  }

  // Taken: nobody else needs to see it. Refused: nobody else should wait for us.
  async function answer(entry: Entry): Promise<void> {
    const isTaken = accept(entry)
    metrics.offers.inc({ outcome: isTaken ? 'taken' : 'refused' })
    await hint('offer', () => (isTaken ? removeEntry(queue, entry) : promoteEntry(queue, entry)))
  }

  listener.on('message', (_: string, message: string) => {
    for (const entry of JSON.parse(message) as Entry[]) void answer(entry)
  })
  // Closed before Redis ever came: nobody is left to be told.
  listener.subscribe(offerChannel(config.prefix, station)).catch(() => undefined)

  return {
    noteWarm: (ownerId) => hint('warm', () => noteStation(redis, config.prefix, ownerId, station)),
    async [Symbol.asyncDispose]() {
      listener.disconnect()
      await Promise.allSettled([withDeadline(queue.close(), deadlineMs)])
      redis.disconnect()
    },
  }
}
