import { abilitiesOf } from '@lathe/engines'
import type { Pair } from '../samples/pair.ts'

/** The best targets for a mutant: formats for which the engine has to read the whole file. */
const typical = ['pdf', 'png', 'mp4', 'wav', 'jpg', 'odt', 'ods', 'odp']

/** One pair for each format that an engine reads, repeated in turn until there are `count` pairs. */
export function planMutants(pairs: readonly Pair[], engine: string, count: number): readonly Pair[] {
  const own = pairs.filter((pair) => pair.engine === engine)
  const chosen = [...Map.groupBy(own, ({ from }) => from).values()].flatMap((fromOne) => choose(fromOne) ?? [])
  if (chosen.length === 0) throw new Error(`no engine is called ${engine}, or it has nothing to read`)
  return Array.from({ length: count }, (_, n) => chosen[n % chosen.length] as Pair)
}

function choose(pairs: readonly Pair[]): Pair | undefined {
  const conversions = abilitiesOf(pairs, 'convert').filter(({ from, to }) => from !== to)
  const preferred = typical.flatMap((to) => conversions.find((pair) => pair.to === to) ?? [])
  return preferred[0] ?? conversions[0] ?? pairs[0]
}
