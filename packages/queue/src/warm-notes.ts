import type { ObjectId } from '@lathe/domain'
import type { Redis } from 'ioredis'

/**
 * Where an owner's next task meets a warm engine. A worker that runs a task of an owner notes its *station* under the
 * owner; whoever dispatches the owner's next task offers it there first. Notes expire soon, for so do warm engines.
 */
const noteMs = 5_000

const noteKey = (prefix: string, ownerId: ObjectId) => `${prefix}:warm:${ownerId}`

/** The channel on which a station hears of tasks it may have. */
export function offerChannel(prefix: string, station: string): string {
  return `${prefix}:offers:${station}`
}

export async function noteStation(redis: Redis, prefix: string, ownerId: ObjectId, station: string): Promise<void> {
  await redis.set(noteKey(prefix, ownerId), station, 'PX', noteMs)
}

/** Finds the stations of owners. */
export interface StationFinder {
  /** The stations of those owners that have one. */
  find(ownerIds: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, string>>
  /** Forgets a station that nobody listens at. */
  forget(station: string): void
}

// An owner with many tasks is asked for once a second. Meanwhile its station may have changed, which costs at most a
// cold engine, or have gone, which shows at the next offer.
const knownMs = 1_000
const mostKnown = 10_000

/** Reads the notes, and remembers for a second what they say. */
export function createStationFinder(redis: Redis, prefix: string): StationFinder {
  const known = new Map<ObjectId, { readonly station: string; readonly untilMs: number }>()

  function recall(ownerId: ObjectId): string | undefined {
    const found = known.get(ownerId)
    return found && found.untilMs > performance.now() ? found.station : undefined
  }

  async function ask(ownerIds: readonly ObjectId[]): Promise<void> {
    if (ownerIds.length === 0) return
    const stations = await redis.mget(ownerIds.map((ownerId) => noteKey(prefix, ownerId)))
    if (known.size >= mostKnown) known.clear()
    for (const [i, ownerId] of ownerIds.entries()) {
      const station = stations[i]
      if (station) known.set(ownerId, { station, untilMs: performance.now() + knownMs })
    }
  }

  return {
    async find(ownerIds) {
      await ask(ownerIds.filter((ownerId) => !recall(ownerId)))
      return new Map(
        ownerIds.flatMap((ownerId) => {
          const station = recall(ownerId)
          return station ? [[ownerId, station] as const] : []
        }),
      )
    },
    forget(station) {
      for (const [ownerId, found] of known) if (found.station === station) known.delete(ownerId)
    },
  }
}
