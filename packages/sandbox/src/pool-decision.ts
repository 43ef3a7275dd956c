/**
 * The life cycle of an instance:
 *
 *   starting ─▶ spare ─▶ busy ⇄ idle
 *       └─────────┴───────┴──────┴──▶ ending ─▶ (gone)
 *
 * Its first call gives it an owner. It keeps that owner until it is gone.
 */
export type InstanceState = 'starting' | 'spare' | 'idle' | 'busy' | 'ending'

export interface InstanceView {
  readonly id: number
  readonly state: InstanceState
  readonly owner?: string
  /** When it last became idle, in ms. */
  readonly idleSince?: number
}

export interface Waiter {
  readonly ticket: number
  readonly owner: string
}

export interface PoolView {
  readonly instances: readonly InstanceView[]
  /** Callers without an instance, in order of arrival. */
  readonly waiting: readonly Waiter[]
  readonly size: number
  /** How many started instances without an owner are wanted. */
  readonly spares: number
  readonly now: number
  /** How long an idle instance is kept for its owner while a spare is missing. */
  readonly restMs: number
}

export interface Decision {
  readonly assign: readonly { readonly ticket: number; readonly instance: number }[]
  readonly end: readonly number[]
  readonly start: number
}

interface Stock {
  readonly idle: InstanceView[]
  readonly spare: InstanceView[]
  /** Starting or ending: each of them makes one more instance available without further action. */
  coming: number
  room: number
  readonly wanted: ReadonlySet<string>
  /** How many instances each owner has. */
  readonly held: Map<string, number>
}

/**
 * Decides which caller gets which instance, which instances end, and how many to start: a pure function of the pool's
 * state. One owner never takes the slots of the spares, so that the next owner finds one however many calls wait.
 */
export function decide(view: PoolView): Decision {
  const stock = takeStock(view)
  const mostOfOne = Math.max(1, view.size - view.spares)
  const assign: { ticket: number; instance: number }[] = []
  const end: number[] = []
  let start = 0
  for (const { ticket, owner } of view.waiting) {
    const found = takeFor(stock, owner, mostOfOne)
    if (found) assign.push({ ticket, instance: found.id })
    // At the maximum, the caller waits for one of the owner's own instances.
    else if (heldBy(stock, owner) < mostOfOne) start += prepareFor(stock, owner, view, end)
  }
  return { assign, end, start: start + restock(stock, view, end) }
}

/** How many spares to start. Where there is no room, ends one idle instance past its rest time for each. */
function restock(stock: Stock, view: PoolView, end: number[]): number {
  const missing = Math.max(0, view.spares - stock.spare.length - stock.coming)
  const start = Math.min(missing, Math.max(0, stock.room))
  stock.room -= start
  for (let n = start; n < missing; n += 1) endRested(stock, view, end)
  return start
}

function takeStock({ instances, waiting, size }: PoolView): Stock {
  const inState = (state: InstanceState) => instances.filter((instance) => instance.state === state)
  const held = new Map<string, number>()
  for (const { state, owner } of instances) {
    if (state !== 'ending' && owner !== undefined) held.set(owner, (held.get(owner) ?? 0) + 1)
  }
  return {
    held,
    idle: inState('idle').sort((a, b) => (a.idleSince ?? 0) - (b.idleSince ?? 0)),
    spare: inState('spare'),
    coming: inState('starting').length + inState('ending').length,
    room: size - instances.length,
    wanted: new Set(waiting.map(({ owner }) => owner)),
  }
}

const heldBy = ({ held }: Stock, owner: string) => held.get(owner) ?? 0

// Takes the owner's most recently used instance, so that the others can reach their rest time and free a slot.
function takeFor(stock: Stock, owner: string, mostOfOne: number): InstanceView | undefined {
  const own = stock.idle.findLastIndex((instance) => instance.owner === owner)
  if (own >= 0) return stock.idle.splice(own, 1)[0]
  const held = heldBy(stock, owner)
  const spare = held < mostOfOne ? stock.spare.shift() : undefined
  if (spare) stock.held.set(owner, held + 1)
  return spare
}

/** Reserves an instance for an owner: one that is coming, or one to start. Returns how many to start. */
function prepareFor(stock: Stock, owner: string, { now, restMs }: PoolView, end: number[]): number {
  const held = heldBy(stock, owner)
  stock.held.set(owner, held + 1)
  if (stock.coming > 0) {
    stock.coming -= 1
    return 0
  }
  return makeRoom(stock, end, held > 0 ? now - restMs : now) ? 1 : 0
}

/**
 * True if an instance may be started now. Otherwise ends an instance that has been idle since `idleSince` or before, so
 * that one can start once it is gone.
 */
function makeRoom(stock: Stock, end: number[], idleSince: number): boolean {
  if (stock.room > 0) {
    stock.room -= 1
    return true
  }
  const resting = stock.idle.filter((instance) => (instance.idleSince ?? 0) <= idleSince)
  // Prefers one whose owner does not wait, but an earlier caller must not be passed over forever.
  const victim = resting.find(({ owner }) => owner === undefined || !stock.wanted.has(owner)) ?? resting[0]
  if (!victim) return false
  stock.idle.splice(stock.idle.indexOf(victim), 1)
  end.push(victim.id)
  return false
}

function endRested(stock: Stock, { now, restMs }: PoolView, end: number[]): void {
  const [oldest] = stock.idle
  if (!oldest || now - (oldest.idleSince ?? 0) < restMs) return
  stock.idle.shift()
  end.push(oldest.id)
}
