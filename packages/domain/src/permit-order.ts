import type { ObjectId } from './object-id.ts'

/** A task that waits for an engine of a worker. */
export interface PermitWaiter {
  /** How many permits it needs: one, or all. */
  readonly permits: number
  readonly isAlone: boolean
  readonly ownerId: ObjectId | undefined
  readonly since: number
}

/** The permits of a worker and who holds them. */
export interface PermitsTaken<Waiter extends PermitWaiter> {
  readonly limit: number
  readonly free: number
  /** How many permits each owner holds. */
  readonly held: ReadonlyMap<ObjectId, number>
  readonly now: number
  /** When the last permit was granted. */
  readonly lastAt: number
  /** Whether the other resources that the waiter needs are free. */
  fits(waiter: Waiter): boolean
}

// Waiters that need less may pass one that needs more, but only for this long.
const passedMs = 5_000

// A quick task is done by then.
const slowMs = 1_000

/**
 * Who gets the next permit. Owners with fewer permits go first; equal owners go in order of arrival. If one owner holds
 * all permits, or none of them was released for a while, another owner gets an additional one.
 */
export function nextPermit<Waiter extends PermitWaiter>(
  waiting: Iterable<Waiter>,
  taken: PermitsTaken<Waiter>,
): Waiter | undefined {
  for (const waiter of candidates(waiting, taken)) {
    if (!hasPermit(waiter, taken)) return undefined
    if (taken.fits(waiter)) return waiter
    if (taken.now - waiter.since > passedMs) return undefined
  }
  return undefined
}

type Held = Pick<PermitsTaken<PermitWaiter>, 'held'>

const permitsOf = ({ held }: Held, ownerId: ObjectId | undefined) =>
  ownerId === undefined ? 0 : (held.get(ownerId) ?? 0)

/**
 * Waiters that may be next, in order. One that needs all permits blocks those behind it, or it would never get them.
 */
function candidates<Waiter extends PermitWaiter>(waiting: Iterable<Waiter>, taken: Held): readonly Waiter[] {
  const all = [...waiting]
  const barrier = all.findIndex(({ isAlone }) => isAlone)
  const before = barrier < 0 ? all : all.slice(0, Math.max(1, barrier))
  return before.sort((a, b) => permitsOf(taken, a.ownerId) - permitsOf(taken, b.ownerId))
}

/**
 * Whether there is a permit for the waiter: a free one, or an additional one if another owner holds them all, or if
 * whoever holds them was not quick.
 */
function hasPermit({ permits, ownerId }: PermitWaiter, taken: Omit<PermitsTaken<never>, 'fits'>): boolean {
  if (permits <= taken.free) return true
  const isFirst = ownerId !== undefined && permitsOf(taken, ownerId) === 0
  if (!isFirst || taken.free !== 0) return false
  return Math.max(...taken.held.values()) === taken.limit || taken.now - taken.lastAt > slowMs
}
