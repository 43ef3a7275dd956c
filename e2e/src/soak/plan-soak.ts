import { createChance } from '../chance.ts'
import type { Pair } from '../samples/pair.ts'

/** One task of a soak. */
export interface SoakTask {
  readonly pair: Pair
  /** Sent unchanged, truncated, or canceled once it is accepted. */
  readonly kind: 'sound' | 'damaged' | 'cancelled'
  /** Which of the users sends it. */
  readonly user: number
}

const users = 3
// A user's files come in runs, as in practice: warm instances are reused and then released.
const runOfUser = 40

/** Every engine gets equally many tasks, regardless of its number of pairs. */
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

/** A truncated file. */
export function damage(content: Buffer): Buffer {
  return content.subarray(0, Math.ceil(content.length / 2))
}
