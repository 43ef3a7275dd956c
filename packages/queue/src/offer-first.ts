import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Work } from './dispatch.ts'
import type { Entry } from './entry.ts'
import { addEntries, promoteEntry } from './open-queue.ts'
import { offerChannel, type StationFinder } from './warm-notes.ts'

interface Parts {
  readonly redis: Redis
  readonly queue: Queue<Entry>
  readonly prefix: string
  readonly stations: StationFinder
}

// How long an entry is left to the station it was offered to. A station answers within a millisecond or two; this limit
// is for one that died or hangs while its Redis connection is still open.
const offerMs = 250

/**
 * Adds entries of one family to the queue. Entries of owners with a station are delayed and offered there first. A
 * station without a listener is skipped immediately. If two workers take the same entry, only one can claim it.
 */
export async function offerFirst(parts: Parts, batch: readonly Work[]): Promise<void> {
  const owners = batch.filter(({ delayMs }) => delayMs === 0).map(({ ownerId }) => ownerId)
  const stations = await parts.stations.find([...new Set(owners)], batch[0]?.entry.family)
  const stationOf = ({ delayMs, ownerId }: Work) => (delayMs === 0 ? stations.get(ownerId) : undefined)
  await addEntries(
    parts.queue,
    batch.map((work) => (stationOf(work) ? { ...work, delayMs: offerMs } : work)),
  )
  if (stations.size === 0) return
  const offers = Map.groupBy(batch, stationOf)
  await Promise.all([...offers].map(([station, works]) => station && offer(parts, station, works)))
}

async function offer(
  { redis, queue, prefix, stations }: Parts,
  station: string,
  works: readonly Work[],
): Promise<void> {
  const entries = works.map(({ entry }) => entry)
  const heardBy = await redis.publish(offerChannel(prefix, station), JSON.stringify(entries))
  if (heardBy > 0) return
  stations.forget(station)
  await Promise.all(entries.map((entry) => promoteEntry(queue, entry)))
}
