import type { ObjectId } from '@lathe/domain'

/** Decides which entries of a queue may run now. Gates of several queues may share their slots. */
export interface Gate<Slot extends Disposable = Disposable> {
  /**
   * Takes a slot for an entry that has waited `waitedMs`; undefined if none is free for it. Disposing the slot frees
   * it; a second dispose has no effect.
   */
  enter(waitedMs: number, ownerId?: ObjectId): Slot | undefined | Promise<Slot | undefined>
  /** Settles when it is worth trying the next entry, after one that waited `waitedMs`. */
  untilOpen(waitedMs: number): Promise<void>
}

/** Creates a gate with a number of slots. */
export function createGate(size: number): Gate {
  const waiting = new Set<() => void>()
  let taken = 0

  function leave(): void {
    taken -= 1
    for (const wake of waiting) wake()
    waiting.clear()
  }

  return {
    enter() {
      if (taken >= size) return undefined
      taken += 1
      let isFree = false
      return {
        [Symbol.dispose]() {
          if (!isFree) leave()
          isFree = true
        },
      }
    },
    async untilOpen() {
      if (taken >= size) await new Promise<void>((resolve) => waiting.add(resolve))
    },
  }
}
