import { type Ability, abilitiesOf } from '@lathe/engines'

/** How a sample of each format is come by: the formats it can be made from, nearest to a seed first. */
export type Routes = ReadonlyMap<string, readonly string[]>

/** Goes from the seeds outwards, conversion by conversion. A seed is made from nothing; what is missing cannot be made. */
export function planRoutes(abilities: readonly Ability[], seeds: readonly string[]): Routes {
  const conversions = abilitiesOf(abilities, 'convert').filter(({ from, to }) => from !== to)
  const targetsOf = Map.groupBy(conversions, ({ from }) => from)
  const parents = new Map<string, string[]>(seeds.map((seed) => [seed, []]))
  const depth = new Map(seeds.map((seed) => [seed, 0]))
  // A map goes on over what is added while it is being read, so this is a queue as well.
  for (const [from, level] of depth) {
    for (const { to } of targetsOf.get(from) ?? []) {
      if (!depth.has(to)) depth.set(to, level + 1)
      if ((depth.get(to) ?? 0) <= level) continue
      parents.set(to, [...(parents.get(to) ?? []), from])
    }
  }
  return parents
}
