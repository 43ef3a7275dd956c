import { nextPermit, type ObjectId, type PermitWaiter } from '@lathe/domain'

/** What an engine may use up while it runs. */
export interface Need {
  readonly memoryBytes: number
  readonly diskBytes: number
}

/** What there is for all engines together. */
export interface Capacity {
  readonly memoryBytes: number
  /** What is free on the scratch disk now, beyond what must stay free. */
  freeDisk(): number
  /** Told how many permits are taken, whenever that changes. */
  onChange?(taken: number): void
}

/** Who asks for a permit, and what for. */
export interface Asker {
  readonly need?: Need
  /** Whose task it is; without one it is nobody's. */
  readonly ownerId?: ObjectId
}

/**
 * Lets so many engines run at a time, and reserves what each may use before it starts. Owners with fewer permits go first,
 * those of equal rank as they came. Where one owner has all permits, another gets one more: it does not wait for an owner
 * that has many, and the two share the cores.
 */
export interface EnginePermits {
  /** Waits for a permit; disposing it lets the next one in. Throws the signal's reason if that comes first. */
  take(signal: AbortSignal, asker?: Asker): Promise<Disposable>
  /** Waits until nobody has a permit, and keeps all others waiting until it is disposed. */
  takeAlone(signal: AbortSignal): Promise<Disposable>
}

interface Waiter extends PermitWaiter {
  readonly need: Need
  let(): void
}

const nothing: Need = { memoryBytes: 0, diskBytes: 0 }
const unlimited: Capacity = { memoryBytes: Number.POSITIVE_INFINITY, freeDisk: () => Number.POSITIVE_INFINITY }

/** Makes room for `limit` permits at once. */
export function createEnginePermits(limit: number, capacity: Capacity = unlimited): EnginePermits {
  const waiting = new Set<Waiter>()
  let free = limit
  /** How many permits owners have. */
  const held = new Map<ObjectId, number>()
  const reserved = { memoryBytes: 0, diskBytes: 0 }

  // What needs more than there is runs by itself: the machine has no more to give.
  function fits({ memoryBytes, diskBytes }: Need): boolean {
    const hasMemory = reserved.memoryBytes === 0 || reserved.memoryBytes + memoryBytes <= capacity.memoryBytes
    return hasMemory && (reserved.diskBytes === 0 || reserved.diskBytes + diskBytes <= capacity.freeDisk())
  }

  function reserve({ memoryBytes, diskBytes }: Need, sign: 1 | -1): void {
    reserved.memoryBytes += sign * memoryBytes
    reserved.diskBytes += sign * diskBytes
  }

  const permitsOf = (ownerId: ObjectId | undefined) => (ownerId === undefined ? 0 : (held.get(ownerId) ?? 0))

  function count({ ownerId, permits }: Waiter, sign: 1 | -1): void {
    free -= sign * permits
    capacity.onChange?.(limit - free)
    if (ownerId === undefined) return
    const now = permitsOf(ownerId) + sign * permits
    if (now > 0) held.set(ownerId, now)
    else held.delete(ownerId)
  }

  /** Lets in whoever is next. */
  function pass(): void {
    for (let next = pick(); next; next = pick()) {
      waiting.delete(next)
      count(next, 1)
      reserve(next.need, 1)
      next.let()
    }
  }

  const pick = () => nextPermit(waiting, { limit, free, held, now: performance.now(), fits: ({ need }) => fits(need) })

  /** A permit ends once, however often it is told to. */
  function permit(waiter: Waiter): Disposable {
    let over = false
    return {
      [Symbol.dispose]() {
        if (over) return
        over = true
        count(waiter, -1)
        reserve(waiter.need, -1)
        pass()
      },
    }
  }

  async function take(isAlone: boolean, signal: AbortSignal, { need = nothing, ownerId }: Asker): Promise<Disposable> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const permits = isAlone ? limit : 1
    const waiter: Waiter = { isAlone, permits, need, ownerId, since: performance.now(), let: resolve }
    const onAbort = () => {
      // One that was let in just now has its permit, and its owner looks at the signal itself.
      if (!waiting.delete(waiter)) return
      reject(signal.reason)
      pass()
    }
    waiting.add(waiter)
    signal.addEventListener('abort', onAbort, { once: true })
    pass()
    await promise.finally(() => signal.removeEventListener('abort', onAbort))
    return permit(waiter)
  }

  return {
    take: (signal, asker = {}) => take(false, signal, asker),
    takeAlone: (signal) => take(true, signal, {}),
  }
}
