import type { EngineFamily, ObjectId } from '@lathe/domain'
import type { Redis } from 'ioredis'
import { version } from './entry.ts'

/**
 * Where an owner's next task meets a warm engine. A worker that runs a task of an owner notes its *station* under the
 * owner and the engines' family; whoever dispatches the owner's next task of that family offers it there first. Notes
 * expire soon, for so do warm engines.
 */
const noteMs = 5_000

/** Whose engines, and which. */
export interface WarmFor {
  readonly ownerId: ObjectId
  readonly family?: EngineFamily | undefined
}

const subjectOf = ({ ownerId, family }: WarmFor) => `${ownerId}:${family ?? 'any'}`
const noteKey = (prefix: string, subject: string) => `${prefix}:${version}:warm:${subject}`

/** The channel on which a station hears of tasks it may have. */
export function offerChannel(prefix: string, station: string): string {
  return `${prefix}:${version}:offers:${station}`
}

export async function noteStation(redis: Redis, prefix: string, warm: WarmFor, station: string): Promise<void> {
  await redis.set(noteKey(prefix, subjectOf(warm)), station, 'PX', noteMs)
}

/** Finds the stations of owners. */
export interface StationFinder {
  /** The stations of these engines of those owners that have one. */
  find(ownerIds: readonly ObjectId[], family?: EngineFamily): Promise<ReadonlyMap<ObjectId, string>>
  /** Forgets a station that nobody listens at. */
  forget(station: string): void
}

// An owner with many tasks is asked for once a second. Meanwhile its station may have changed, which costs at most a
// cold engine, or have gone, which shows at the next offer.
const knownMs = 1_000
const mostKnown = 10_000

/** Reads the notes, and remembers for a second what they say. */
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
