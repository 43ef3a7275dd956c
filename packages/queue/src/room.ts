/** How many entries may be in hand at once, whichever way they came. */
export interface Room {
  readonly taken: number
  /** Takes a place; disposing it gives the place back. */
  enter(): Disposable
  /** Settles when there is a free place. */
  untilFree(): Promise<void>
}

/** Makes a room of so many places. */
export function createRoom(size: number): Room {
  const waiting = new Set<() => void>()
  let taken = 0

  function leave(): void {
    taken -= 1
    if (taken >= size) return
    for (const wake of waiting) wake()
    waiting.clear()
  }

  return {
    get taken() {
      return taken
    },
    enter() {
      taken += 1
      return { [Symbol.dispose]: leave }
    },
    async untilFree() {
      if (taken >= size) await new Promise<void>((resolve) => waiting.add(resolve))
    },
  }
}
