/** Chosen anew each run and printed, so that a run that failed can be had again. */
export const seed = Number(process.env.LATHE_CHAOS_SEED ?? Date.now() % 2 ** 31)

const scale = Number(process.env.LATHE_CHAOS_SCALE ?? 1)

/** A size of the test, as large as the run asks for. */
export function scaled(size: number): number {
  return Math.max(1, Math.round(size * scale))
}

/** Chance that can be repeated. */
export interface Chance {
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  pick<T>(from: readonly T[]): T
}

/** The chance of one test: the same for the same seed and name. Says which seed it was. */
export function createChance(name: string): Chance {
  console.log(`${name}: LATHE_CHAOS_SEED=${seed}`)
  let state = [...name].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193), seed | 0)
  // mulberry32: small, and good enough to choose moments with.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    between,
    pick(from) {
      const picked = from[between(0, from.length - 1)]
      if (picked === undefined) throw new Error('there is nothing to pick from')
      return picked
    },
  }
}
