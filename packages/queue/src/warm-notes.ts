import type { EngineFamily, ObjectId } from '@lathe/domain'
import type { Redis } from 'ioredis'
import { version } from './entry.ts'

/**
 * Finds a warm engine for an owner's next task. A worker that runs a task of an owner notes its *station* under the
 * owner and the engine family; the dispatcher of the owner's next task of that family offers it there first. Notes
 * expire soon, because warm engines do.
 */
const noteMs = 5_000

/** The owner and the engine family. */
export interface WarmFor {
  readonly ownerId: ObjectId
  readonly family?: EngineFamily | undefined
}

const subjectOf = ({ ownerId, family }: WarmFor) => `${ownerId}:${family ?? 'any'}`
const noteKey = (prefix: string, subject: string) => `${prefix}:${version}:warm:${subject}`

/** The channel on which a station receives offers. */
export function offerChannel(prefix: string, station: string): string {
  return `${prefix}:${version}:offers:${station}`
}

export async function noteStation(redis: Redis, prefix: string, warm: WarmFor, station: string): Promise<void> {
  await redis.set(noteKey(prefix, subjectOf(warm)), station, 'PX', noteMs)
}

/** Finds the stations of owners. */
export interface StationFinder {
  /** The stations with engines of this family, for those owners that have one. */
  find(ownerIds: readonly ObjectId[], family?: EngineFamily): Promise<ReadonlyMap<ObjectId, string>>
  /** Forgets a station that has no listener. */
  forget(station: string): void
}

// An owner with many tasks is looked up once per second. If its station has changed meanwhile, that costs at most a
// cold engine. If it is gone, the next offer shows it.
const knownMs = 1_000
const mostKnown = 10_000

/** Reads the notes and caches them for a second. */
export function createStationFinder(redis: Redis, prefix: string): StationFinder {
  const known = new Map<string, { readonly station: string; readonly untilMs: number }>()

  function recall(subject: string): string | undefined {
    const found = known.get(subject)
    return found && found.untilMs > performance.now() ? found.station : undefined
  }

  async function ask(subjects: readonly string[]): Promise<void> {
    if (subjects.length === 0) return
    const stations = await redis.mget(subjects.map((subject) => noteKey(prefix, subject)))
    if (known.size >= mostKnown) known.clear()
    for (const [i, subject] of subjects.entries()) {
      const station = stations[i]
      if (station) known.set(subject, { station, untilMs: performance.now() + knownMs })
    }
  }

  return {
    async find(ownerIds, family) {
      const subjects = ownerIds.map((ownerId) => subjectOf({ ownerId, family }))
      await ask(subjects.filter((subject) => !recall(subject)))
      return new Map(
        ownerIds.flatMap((ownerId, i) => {
          const station = recall(subjects[i] ?? '')
          return station ? [[ownerId, station] as const] : []
        }),
      )
    },
    forget(station) {
      for (const [subject, found] of known) if (found.station === station) known.delete(subject)
    },
  }
}
