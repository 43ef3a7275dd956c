/**
 * The life of an instance, and who may use it:
 *
 *   starting ─▶ spare ─▶ busy ⇄ idle
 *       └─────────┴───────┴──────┴──▶ ending ─▶ (gone)
 *
 * Its first call gives it an owner, and it keeps that owner until it is gone.
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
  /** Callers without an instance, first come first. */
  readonly waiting: readonly Waiter[]
  readonly size: number
  /** How many started instances without an owner are wanted. */
  readonly spares: number
  readonly now: number
  /** How long an idle instance is kept for its owner although a spare is missing. */
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
  /** Starting or ending: each will make one more usable instance without our doing. */
  coming: number
  room: number
  readonly wanted: ReadonlySet<string>
  /** How many instances owners have. */
  readonly held: Map<string, number>
}

/**
 * Who gets which instance, which ones go, and how many to start: a pure answer to the pool's state. An owner never takes the
 * places of the spares, so that the next owner finds one however many calls wait.
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
    // Otherwise it waits for one of its own.
    else if (heldBy(stock, owner) < mostOfOne) start += prepareFor(stock, owner, view, end)
  }
  return { assign, end, start: start + restock(stock, view, end) }
}

/** How many spares to start; where there is no room, one that has rested is ended for each. */
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

// The most recently used one of the owner's: the others may rest and make place for a spare.
function takeFor(stock: Stock, owner: string, mostOfOne: number): InstanceView | undefined {
  const own = stock.idle.findLastIndex((instance) => instance.owner === owner)
  if (own >= 0) return stock.idle.splice(own, 1)[0]
  const held = heldBy(stock, owner)
  const spare = held < mostOfOne ? stock.spare.shift() : undefined
  if (spare) stock.held.set(owner, held + 1)
  return spare
}

/** Counts on an instance for an owner: one that is coming, or one to start. Tells how many to start for it. */
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
 * True if an instance may be started now; otherwise somebody else's idle one is ended, to start one once it is gone: one
 * that has been idle since `idleSince` or before.
 */
function makeRoom(stock: Stock, end: number[], idleSince: number): boolean {
  if (stock.room > 0) {
    stock.room -= 1
    return true
  }
  const resting = stock.idle.filter((instance) => (instance.idleSince ?? 0) <= idleSince)
  // Rather one whose owner does not wait, but whoever came first is not passed over for ever.
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
