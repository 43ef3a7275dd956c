import type { ObjectId } from '@lathe/domain'
import type { Metrics } from '@lathe/runtime'

// Signals may be lost with Redis; then the end is noticed a second late.
const pollMs = 1000

export interface Wait<T> {
  readonly id: ObjectId
  /** The API key of the waiting client. */
  readonly keyId: ObjectId
  readonly seconds: number
  readonly signal: AbortSignal
  /** Loads the record again; undefined means that it is gone. */
  look(): Promise<T | undefined>
  isOver(record: T): boolean
}

/** Holds answers until a task or job has ended. */
export interface Waiters {
  /** Returns the last state: ended, or the current one when the time is up. */
  waitFor<T>(wait: Wait<T>): Promise<T | undefined>
  wake(id: ObjectId): void
  /** Ends all waits and allows no new ones. */
  stop(): void
}

interface WaitersParts {
  readonly limit: number
  readonly perKey: number
  readonly metrics: Metrics
}

/** At most `limit` answers are held at once, `perKey` of them for one key; further ones are sent immediately. */
export function createWaiters({ limit, perKey, metrics }: WaitersParts): Waiters {
  const waiting = new Map<ObjectId, Set<() => void>>()
  const countOf = new Map<ObjectId, number>()
  let count = 0
  let stopped = false

  function add(keyId: ObjectId, change: 1 | -1): void {
    count += change
    metrics.waiters.set(count)
    const own = (countOf.get(keyId) ?? 0) + change
    if (own > 0) countOf.set(keyId, own)
    else countOf.delete(keyId)
  }

  function startSleep(id: ObjectId, ms: number, signal: AbortSignal) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wakers = waiting.get(id) ?? new Set()
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      wakers.delete(wake)
      if (wakers.size === 0 && waiting.get(id) === wakers) waiting.delete(id)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake)
    waiting.set(id, wakers.add(wake))
    return { asleep: promise, wake }
  }

  async function hold<T>({ id, seconds, signal, look, isOver }: Wait<T>): Promise<T | undefined> {
    const end = performance.now() + seconds * 1000
    for (;;) {
      const left = end - performance.now()
      // Start to sleep before loading, so that an end between the two still wakes it.
      const { asleep, wake } = startSleep(id, Math.min(pollMs, Math.max(left, 0)), signal)
      try {
        const record = await look()
        if (record === undefined || isOver(record) || left <= 0 || stopped || signal.aborted) return record
        await asleep
      } finally {
        wake()
      }
    }
  }

  return {
    async waitFor(wait) {
      const { keyId } = wait
      if (count >= limit || (countOf.get(keyId) ?? 0) >= perKey || stopped) return wait.look()
      add(keyId, 1)
      try {
        return await hold(wait)
      } finally {
        add(keyId, -1)
      }
    },
    wake(id) {
      for (const wake of [...(waiting.get(id) ?? [])]) wake()
    },
    stop() {
      stopped = true
      for (const wakers of [...waiting.values()]) for (const wake of [...wakers]) wake()
    },
  }
}
