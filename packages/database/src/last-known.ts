import { withDeadline } from '@lathe/runtime'

// Callers that can use the last answer must not wait for PostgreSQL to come back.
const longestWaitMs = 1000

/**
 * Reads a value on request if the last one is older than `maxAgeMs`, once for concurrent callers. While PostgreSQL is
 * unavailable, returns the last value; throws if there is none yet.
 */
export function createLastKnown<T extends object>(read: () => Promise<T>, maxAgeMs: number): () => Promise<T> {
  let known: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<T> | undefined

  async function readAgain(): Promise<T> {
    const startedAt = performance.now()
    try {
      known = await read()
      readAt = startedAt
      return known
    } catch (error) {
      if (known === undefined) throw error
      return known
    } finally {
      reading = undefined
    }
  }

  return async () => {
    if (known && performance.now() - readAt < maxAgeMs) return known
    reading ??= readAgain()
    const last = known
    return last ? withDeadline(reading, longestWaitMs).catch(() => last) : reading
  }
}
