/** Repeatable random numbers. */
export interface Chance {
  /** A number from 0 up to, but not including, 1. */
  fraction(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  pick<T>(from: readonly T[]): T
  /** `count` of the items in random order, or all if there are fewer. */
  some<T>(from: readonly T[], count: number): readonly T[]
}

/** Random numbers from a seed: the same seed gives the same numbers. */
export function createChance(seed: number): Chance {
  let state = seed | 0
  // mulberry32: small, and good enough to choose points in time.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    fraction: next,
    between,
    pick(from) {
      const picked = from[between(0, from.length - 1)]
      if (picked === undefined) throw new Error('there is nothing to pick from')
      return picked
    },
    some(from, count) {
      const keyed = from.map((one) => ({ one, key: next() }))
      return keyed
        .sort((a, b) => a.key - b.key)
        .slice(0, count)
        .map(({ one }) => one)
    },
  }
}
