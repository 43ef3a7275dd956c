/** Keeps offers from passing by those who wait in the queue. */
export interface OfferLimit {
  /** Whether an offer of this rank may be taken now. */
  isOpen(rank: number): boolean
  noteOffer(rank: number): void
  /** An entry came from the queue after so long. */
  noteQueued(waitedMs: number): void
  /** Nobody waits in the queue. */
  noteEmpty(): void
}

// An entry that finds a free engine is taken within milliseconds.
const backlogMs = 100

/**
 * While others wait, every second task at most is one that was offered. An owner whose tasks always find its engine
 * warm would else keep it for as long as it has tasks; without any offers every engine would have to start anew. The only
 * task of an owner is always taken: it would be next in the queue as well.
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
