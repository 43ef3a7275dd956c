import { createChance } from '../chance.ts'
import type { Pair } from '../samples/pair.ts'

/** One task of a soak. */
export interface SoakTask {
  readonly pair: Pair
  /** Sent as it is, with its end cut off, or taken back once it is accepted. */
  readonly kind: 'sound' | 'damaged' | 'cancelled'
  /** Which of the users sends it. */
  readonly user: number
}

const users = 3
// A user's files come in runs, as they do in life: warm instances are met again, and then given up.
const runOfUser = 40

/** Every engine is asked as often as another, whatever the number of its pairs. */
export function planSoak(pairs: readonly Pair[], count: number, seed: number): readonly SoakTask[] {
  const chance = createChance(seed)
  const engines = [...Map.groupBy(pairs, ({ engine }) => engine).values()]
  return Array.from({ length: count }, (_, n) => ({
    pair: chance.pick(chance.pick(engines)),
    kind: kindFor(chance.between(1, 100)),
    user: Math.floor(n / runOfUser) % users,
  }))
}

function kindFor(percent: number): SoakTask['kind'] {
  if (percent <= 6) return 'damaged'
  return percent <= 10 ? 'cancelled' : 'sound'
}

/** A file that breaks off. */
export function damage(content: Buffer): Buffer {
  return content.subarray(0, Math.ceil(content.length / 2))
}
