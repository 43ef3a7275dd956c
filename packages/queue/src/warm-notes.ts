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

/** The stations of those owners that have one. */
export async function findStations(
  redis: Redis,
  prefix: string,
  ownerIds: readonly ObjectId[],
): Promise<ReadonlyMap<ObjectId, string>> {
  if (ownerIds.length === 0) return new Map()
  const stations = await redis.mget(ownerIds.map((ownerId) => noteKey(prefix, ownerId)))
  return new Map(ownerIds.flatMap((ownerId, i) => (stations[i] ? [[ownerId, stations[i]] as const] : [])))
}
