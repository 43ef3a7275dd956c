import type { ObjectId } from '@lathe/domain'

/** The owners whose tasks took much longer than expected lately: their next ones wait with the long tasks. */
export interface SlowOwners {
  /** Records tasks that were not quick as expected. A task that was stopped at its time limit counts twice. */
  note(ownerId: ObjectId, weight?: number): void
  has(ownerId: ObjectId): boolean
}

// One slow file may happen to anybody.
const least = 2
const forMs = 10 * 60_000
const mostOwners = 10_000

export function createSlowOwners(): SlowOwners {
  const known = new Map<ObjectId, { count: number; until: number }>()

  function find(ownerId: ObjectId): number {
    const one = known.get(ownerId)
    if (one && one.until > performance.now()) return one.count
    known.delete(ownerId)
    return 0
  }

  return {
    note(ownerId, weight = 1) {
      const count = find(ownerId) + weight
      // Set again, so that the first is the one that was recorded longest ago.
      known.delete(ownerId)
      known.set(ownerId, { count, until: performance.now() + forMs })
      const [oldest] = known.keys()
      if (known.size > mostOwners && oldest !== undefined) known.delete(oldest)
    },
    has: (ownerId) => find(ownerId) >= least,
  }
}
