/** Keeps offers from overtaking entries that wait in the queue. */
export interface OfferLimit {
  /** Whether an offer of this rank may be accepted now. */
  isOpen(rank: number): boolean
  noteOffer(rank: number): void
  /** An entry came from the queue after this wait. */
  noteQueued(waitedMs: number): void
  /** The queue is empty. */
  noteEmpty(): void
}

// An entry that finds a free engine is taken within milliseconds.
const backlogMs = 100

/**
 * While entries wait, at most every second task is an offered one. Otherwise an owner whose tasks always find its
 * engine warm would keep it for as long as it has tasks; without any offers, every engine would have to start again. An
 * owner's only task is always accepted: it would also be next in the queue.
 */
export function createOfferLimit(): OfferLimit {
  let isBacklogged = false
  let lastWasOffer = false
  return {
    isOpen: (rank) => rank === 1 || !(isBacklogged && lastWasOffer),
    noteOffer(rank) {
      if (rank > 1) lastWasOffer = true
    },
    noteQueued(waitedMs) {
      isBacklogged = waitedMs > backlogMs
      lastWasOffer = false
    },
    noteEmpty() {
      isBacklogged = false
    },
  }
}
