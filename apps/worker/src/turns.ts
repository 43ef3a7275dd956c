/** Lets so many at a time do a thing, first come first served. */
export interface Turns {
  /** Waits for a turn; disposing it lets the next one in. Throws the signal's reason if that comes first. */
  take(signal: AbortSignal): Promise<Disposable>
}

/** Makes room for `limit` turns at once. */
export function createTurns(limit: number): Turns {
  const waiting = new Set<() => void>()
  let free = limit

  function pass(): void {
    const [next] = waiting
    if (!next) free += 1
    else {
      waiting.delete(next)
      next()
    }
  }

  /** A turn ends once, however often it is told to. */
  function turn(): Disposable {
    let over = false
    return {
      [Symbol.dispose]() {
        if (!over) pass()
        over = true
      },
    }
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return turn()
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const onAbort = () => {
        waiting.delete(resolve)
        reject(signal.reason)
      }
      waiting.add(resolve)
      signal.addEventListener('abort', onAbort, { once: true })
      await promise.finally(() => signal.removeEventListener('abort', onAbort))
      return turn()
    },
  }
}
