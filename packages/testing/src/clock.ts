import type { Clock } from '@lathe/runtime'

export interface TestClock extends Clock {
  advance(ms: number): void
}

/** A clock that only moves when the test moves it. */
export function createTestClock(start: Date = new Date('2026-01-01T00:00:00Z')): TestClock {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms
    },
  }
}
