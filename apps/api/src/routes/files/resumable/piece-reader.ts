/** Reads a body in pieces. A body that breaks off ends like any other; `fault` holds the cause. */
export interface PieceReader {
  /** Waits until there are bytes to read or the body has ended. */
  hasMore(): Promise<boolean>
  /** The next bytes, at most `most`. */
  piece(most: number): AsyncGenerator<Uint8Array>
  /** Why the body broke off; undefined if it did not. */
  readonly fault: unknown
}

/** `signal` ends the body at its current position: the sender may be silent. */
export function createPieceReader(body: AsyncIterable<Uint8Array>, signal: AbortSignal): PieceReader {
  const chunks = body[Symbol.asyncIterator]()
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true })
  if (signal.aborted) aborted.reject(signal.reason)
  let rest: Uint8Array = new Uint8Array()
  let isOver = false
  let fault: unknown

  async function hasMore(): Promise<boolean> {
    while (rest.length === 0 && !isOver) {
      try {
        const { done, value } = await Promise.race([chunks.next(), aborted.promise])
        if (done) isOver = true
        else rest = value
      } catch (error) {
        isOver = true
        fault = error
      }
    }
    return rest.length > 0
  }

  return {
    hasMore,
    async *piece(most) {
      for (let left = most; left > 0 && (await hasMore()); ) {
        const taken = rest.subarray(0, left)
        rest = rest.subarray(taken.length)
        left -= taken.length
        yield taken
      }
    },
    get fault() {
      return fault
    },
  }
}
