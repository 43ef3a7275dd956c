import type { ObjectId } from './object-id.ts'

/** Who waits for an engine of a worker. */
export interface PermitWaiter {
  /** How many permits it needs: one, or all. */
  readonly permits: number
  readonly isAlone: boolean
  readonly ownerId: ObjectId | undefined
  readonly since: number
}

/** Who has the permits of a worker now. */
export interface PermitsTaken<Waiter extends PermitWaiter> {
  readonly limit: number
  readonly free: number
  /** How many permits owners have. */
  readonly held: ReadonlyMap<ObjectId, number>
  readonly now: number
  /** Whether there is enough left of what it needs besides. */
  fits(waiter: Waiter): boolean
}

// One that needs much is passed by others that need less, but not for longer than this.
const passedMs = 5_000

/**
 * Who gets the next permit. Owners with fewer permits go first, those of equal rank as they came. Where one owner has all
 * permits, another gets one more.
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

/** Those who may be next, in order. One that needs all permits holds up those behind it, or it would never get them. */
function candidates<Waiter extends PermitWaiter>(waiting: Iterable<Waiter>, taken: Held): readonly Waiter[] {
  const all = [...waiting]
  const barrier = all.findIndex(({ isAlone }) => isAlone)
  const before = barrier < 0 ? all : all.slice(0, Math.max(1, barrier))
  return before.sort((a, b) => permitsOf(taken, a.ownerId) - permitsOf(taken, b.ownerId))
}

/** Whether there is a permit for it: a free one, or one more beside an owner that has them all. */
function hasPermit({ permits, ownerId }: PermitWaiter, taken: Omit<PermitsTaken<never>, 'fits' | 'now'>): boolean {
  const isFirst = ownerId !== undefined && permitsOf(taken, ownerId) === 0
  return permits <= taken.free || (isFirst && taken.free === 0 && Math.max(...taken.held.values()) === taken.limit)
}
