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
  /** Told how many turns are taken, whenever that changes. */
  onChange?(taken: number): void
}

/** Lets so many engines run at a time, first come first served, and reserves what each may use before it starts. */
export interface Turns {
  /** Waits for a turn; disposing it lets the next one in. Throws the signal's reason if that comes first. */
  take(signal: AbortSignal, need?: Need): Promise<Disposable>
  /** Waits until nobody has a turn, and keeps all others waiting until it is disposed. */
  takeAlone(signal: AbortSignal): Promise<Disposable>
}

interface Waiter {
  readonly turns: number
  readonly need: Need
  readonly since: number
  let(): void
}

const nothing: Need = { memoryBytes: 0, diskBytes: 0 }
const unlimited: Capacity = { memoryBytes: Number.POSITIVE_INFINITY, freeDisk: () => Number.POSITIVE_INFINITY }
// One that needs much is passed by others that need less, but not for longer than this.
const passedMs = 5_000

/** Makes room for `limit` turns at once. */
export function createTurns(limit: number, capacity: Capacity = unlimited): Turns {
  const waiting = new Set<Waiter>()
  let free = limit
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

  /** Lets in whoever is next. One that needs all turns holds up those behind it, or it would never get them. */
  function pass(): void {
    for (const waiter of waiting) {
      if (waiter.turns > free) return
      if (fits(waiter.need)) {
        waiting.delete(waiter)
        free -= waiter.turns
        reserve(waiter.need, 1)
        capacity.onChange?.(limit - free)
        waiter.let()
      } else if (performance.now() - waiter.since > passedMs) return
    }
  }

  /** A turn ends once, however often it is told to. */
  function turn({ turns, need }: Waiter): Disposable {
    let over = false
    return {
      [Symbol.dispose]() {
        if (over) return
        over = true
        free += turns
        reserve(need, -1)
        capacity.onChange?.(limit - free)
        pass()
      },
    }
  }

  async function take(turns: number, signal: AbortSignal, need: Need): Promise<Disposable> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { turns, need, since: performance.now(), let: resolve }
    const onAbort = () => {
      // One that was let in just now has its turn, and its owner looks at the signal itself.
      if (!waiting.delete(waiter)) return
      reject(signal.reason)
      pass()
    }
    waiting.add(waiter)
    signal.addEventListener('abort', onAbort, { once: true })
    pass()
    await promise.finally(() => signal.removeEventListener('abort', onAbort))
    return turn(waiter)
  }

  return {
    take: (signal, need = nothing) => take(1, signal, need),
    takeAlone: (signal) => take(limit, signal, nothing),
  }
}
