import { createHeap } from './heap.ts'

/** Time that advances from event to event. */
export interface VirtualClock {
  /** Milliseconds since the start. */
  readonly now: number
  at(ms: number, happen: () => void): void
  /** Runs all scheduled events, and those they schedule. */
  run(): void
}

export function createVirtualClock(): VirtualClock {
  const events = createHeap<() => void>()
  let now = 0
  return {
    get now() {
      return now
    },
    at: (ms, happen) => events.add(Math.max(ms, now), happen),
    run() {
      while (events.size > 0) {
        now = events.firstKey ?? now
        events.take()?.()
      }
    },
  }
}
