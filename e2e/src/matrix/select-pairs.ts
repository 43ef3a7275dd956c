import { createChance } from '../chance.ts'
import type { Pair } from '../samples/pair.ts'

export interface Selection {
  /** Comma-separated words, each the name of an operation, an engine, or a format on either side; `a|b` for either. */
  readonly only?: string | undefined
  /** How many of them, chosen by the seed. */
  readonly sample?: number | undefined
  readonly seed: number
}

/** The pairs of a run: those that match every word, or a sample of them. */
export function selectPairs(pairs: readonly Pair[], { only = '', sample, seed }: Selection): readonly Pair[] {
  const words = only.split(',').filter((word) => word !== '')
  const fitting = pairs.filter(({ operation, engine, from, to }) =>
    words.every((word) => word.split('|').some((one) => [operation, engine, from, to].includes(one))),
  )
  return sample === undefined ? fitting : spread(fitting, sample, seed)
}

/** Takes from each engine in turn, so that an engine with few pairs is represented next to one with hundreds. */
function spread(pairs: readonly Pair[], count: number, seed: number): readonly Pair[] {
  const chance = createChance(seed)
  const heaps = [...Map.groupBy(pairs, ({ engine }) => engine).values()].map((own) => chance.some(own, own.length))
  const longest = Math.max(0, ...heaps.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, n) => heaps.flatMap((heap) => heap.slice(n, n + 1))).flat()
  return inTurn.slice(0, count)
}
