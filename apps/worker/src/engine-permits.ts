import { nextPermit, type ObjectId, type PermitWaiter } from '@lathe/domain'

/** The resources that an engine may use while it runs. */
export interface Need {
  readonly memoryBytes: number
  readonly diskBytes: number
}

/** The resources of all engines together. */
export interface Capacity {
  readonly memoryBytes: number
  /** Free space on the scratch disk now, beyond the reserve that must stay free. */
  freeDisk(): number
  /** Called with the number of permits taken, whenever it changes. */
  onChange?(taken: number): void
}

/** The owner that asks for a permit, and the resources it needs. */
export interface Asker {
  readonly need?: Need
  /** The owner of the task; undefined for work without an owner. */
  readonly ownerId?: ObjectId
}

/**
 * Limits how many engines run at a time, and reserves the resources of each before it starts. Owners with fewer permits
 * go first, those with equally many in order of arrival. If one owner has all permits, another owner gets one extra
 * permit: it does not wait for an owner that has many, and the two share the cores.
 */
export interface EnginePermits {
  /** Waits for a permit. Disposing it admits the next waiter. Throws the signal's reason on abort. */
  take(signal: AbortSignal, asker?: Asker): Promise<Disposable>
  /** Waits until all permits are free, and keeps all others waiting until it is disposed. */
  takeAlone(signal: AbortSignal): Promise<Disposable>
}

interface Waiter extends PermitWaiter {
  readonly need: Need
  let(): void
}

const nothing: Need = { memoryBytes: 0, diskBytes: 0 }
const unlimited: Capacity = { memoryBytes: Number.POSITIVE_INFINITY, freeDisk: () => Number.POSITIVE_INFINITY }

/** Creates permits of which `limit` can be taken at once. */
export function createEnginePermits(limit: number, capacity: Capacity = unlimited): EnginePermits {
  const waiting = new Set<Waiter>()
  let free = limit
  let lastAt = Number.NEGATIVE_INFINITY
  /** How many permits each owner has. */
  const held = new Map<ObjectId, number>()
  const reserved = { memoryBytes: 0, diskBytes: 0 }

  // An engine that needs more than the capacity runs by itself: the machine has no more to offer.
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

  /** Admits waiters in order, as long as permits and resources last. */
  function pass(): void {
    for (let next = pick(); next; next = pick()) {
      lastAt = performance.now()
      waiting.delete(next)
      count(next, 1)
      reserve(next.need, 1)
      next.let()
    }
  }

  const pick = () =>
    nextPermit(waiting, { limit, free, held, lastAt, now: performance.now(), fits: ({ need }) => fits(need) })

  /** Disposing a permit more than once has no further effect. */
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
      // A waiter that was just admitted has its permit, and its caller checks the signal itself.
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
