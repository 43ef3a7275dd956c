import { createHeap } from './heap.ts'

/** Time that passes from one event to the next. */
export interface VirtualClock {
  /** Milliseconds since the beginning. */
  readonly now: number
  at(ms: number, happen: () => void): void
  /** Lets everything happen that was announced, and what comes of it. */
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
