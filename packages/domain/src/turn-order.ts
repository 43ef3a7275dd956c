import type { ObjectId } from './object-id.ts'

/** Who waits for an engine of a worker. */
export interface TurnWaiter {
  /** How many turns it needs: one, or all. */
  readonly turns: number
  readonly isAlone: boolean
  readonly ownerId: ObjectId | undefined
  readonly since: number
}

/** Who has the turns of a worker now. */
export interface TurnsTaken<Waiter extends TurnWaiter> {
  readonly limit: number
  readonly free: number
  /** How many turns owners have. */
  readonly held: ReadonlyMap<ObjectId, number>
  readonly now: number
  /** Whether there is enough left of what it needs besides. */
  fits(waiter: Waiter): boolean
}

// One that needs much is passed by others that need less, but not for longer than this.
const passedMs = 5_000

/**
 * Who gets the next turn. Owners with fewer turns go first, those of equal rank as they came. Where one owner has all
 * turns, another gets one more.
 */
export function nextTurn<Waiter extends TurnWaiter>(
  waiting: Iterable<Waiter>,
  taken: TurnsTaken<Waiter>,
): Waiter | undefined {
  for (const waiter of candidates(waiting, taken)) {
    if (!hasTurn(waiter, taken)) return undefined
    if (taken.fits(waiter)) return waiter
    if (taken.now - waiter.since > passedMs) return undefined
  }
  return undefined
}

type Held = Pick<TurnsTaken<TurnWaiter>, 'held'>

const turnsOf = ({ held }: Held, ownerId: ObjectId | undefined) =>
  ownerId === undefined ? 0 : (held.get(ownerId) ?? 0)

/** Those who may be next, in order. One that needs all turns holds up those behind it, or it would never get them. */
function candidates<Waiter extends TurnWaiter>(waiting: Iterable<Waiter>, taken: Held): readonly Waiter[] {
  const all = [...waiting]
  const barrier = all.findIndex(({ isAlone }) => isAlone)
  const before = barrier < 0 ? all : all.slice(0, Math.max(1, barrier))
  return before.sort((a, b) => turnsOf(taken, a.ownerId) - turnsOf(taken, b.ownerId))
}

/** Whether there is a turn for it: a free one, or one more beside an owner that has them all. */
function hasTurn({ turns, ownerId }: TurnWaiter, taken: Omit<TurnsTaken<never>, 'fits' | 'now'>): boolean {
  const isFirst = ownerId !== undefined && turnsOf(taken, ownerId) === 0
  return turns <= taken.free || (isFirst && taken.free === 0 && Math.max(...taken.held.values()) === taken.limit)
}
