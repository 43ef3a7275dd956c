import { type Ability, abilitiesOf } from '@lathe/engines'

/** How a sample of each format is made: the source formats, nearest to a seed first. */
export type Routes = ReadonlyMap<string, readonly string[]>

/**
 * Searches from the seeds outwards, conversion by conversion. A seed has no source; a missing format cannot be made.
 */
export function planRoutes(abilities: readonly Ability[], seeds: readonly string[]): Routes {
  const conversions = abilitiesOf(abilities, 'convert').filter(({ from, to }) => from !== to)
  const targetsOf = Map.groupBy(conversions, ({ from }) => from)
  const parents = new Map<string, string[]>(seeds.map((seed) => [seed, []]))
  const depth = new Map(seeds.map((seed) => [seed, 0]))
  // Iterating over a map includes entries that are added meanwhile, so it also works as a queue.
  for (const [from, level] of depth) {
    for (const { to } of targetsOf.get(from) ?? []) {
      if (!depth.has(to)) depth.set(to, level + 1)
      if ((depth.get(to) ?? 0) <= level) continue
      parents.set(to, [...(parents.get(to) ?? []), from])
    }
  }
  return parents
}
