import type { EngineFamily } from '@lathe/domain'
import { familyOf } from '@lathe/engines'
import { neededOptions, type Pair } from '../samples/pair.ts'

/**
 * The roots of worker images, named as for `engine-root.sh --families`, with the engine families that their workers
 * serve.
 */
export const familyRoots: Readonly<Record<string, readonly EngineFamily[]>> = {
  media: ['image', 'av'],
  document: ['office', 'pdf', 'ocr'],
  browser: ['browser'],
  // Routes may need engines of all families.
  'media,document,browser': ['route'],
}

/**
 * Enough of a family's pairs to use everything in its root: every operation, input and output format of each engine.
 */
export function choosePairs(pairs: readonly Pair[], families: readonly EngineFamily[]): readonly Pair[] {
  const own = pairs.filter((pair) => {
    const family = familyOf({ ...pair, options: neededOptions(pair) })
    return family !== undefined && families.includes(family)
  })
  const seen = new Set<string>()
  const unseen = (pair: Pair) => keysOf(pair).filter((key) => !seen.has(key)).length
  const chosen = new Set<Pair>()
  // Pairs that cover most come first, so that fewer are needed.
  for (const least of [3, 2, 1]) {
    for (const pair of own) {
      if (chosen.has(pair) || unseen(pair) < least) continue
      chosen.add(pair)
      for (const key of keysOf(pair)) seen.add(key)
    }
  }
  return own.filter((pair) => chosen.has(pair))
}

function keysOf({ engine, operation, from, to }: Pair): readonly string[] {
  return [`${engine} ${operation}`, `${engine} from ${from}`, `${engine} to ${to}`]
}
