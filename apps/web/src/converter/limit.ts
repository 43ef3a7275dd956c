/** Runs at most `atOnce` at a time; the others wait in a queue. */
export function createLimit(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The next in the queue takes over the slot.
      if (next) next()
      else running -= 1
    }
  }
}
