import type { Item, Kind } from './item.ts'
import { commonTargets, preferredTarget } from './preferred-target.ts'
import { type ConverterState, targetOf } from './state.ts'

/** The target formats of each source format that the service was asked for. */
export type KnownTargets = ReadonlyMap<string, readonly string[]>

/** The targets to choose: of whole kinds, and of files that cannot become what the rest of their kind becomes. */
export interface TargetPlan {
  readonly kinds: ReadonlyMap<Kind, string>
  readonly items: ReadonlyMap<string, string>
}

type Listed = Pick<ConverterState, 'items' | 'choices'>

/** Plans the targets of staged files that have none that is possible. A kind waits until all its sources are known. */
export function planTargets({ items, choices }: Listed, known: KnownTargets): TargetPlan {
  const kinds = new Map<Kind, string>()
  const own = new Map<string, string>()
  const undecided = [...items.values()].filter((item) => isStaged(item) && item.target === undefined)
  for (const [kind, members] of Map.groupBy(undecided, (item) => item.kind)) {
    const lists = new Map(
      Map.groupBy(members, ({ source }) => source)
        .keys()
        .map((one) => [one, known.get(one)]),
    )
    const able = new Map([...lists].flatMap(([source, list = []]) => (list.length > 0 ? [[source, list]] : [])))
    if (lists.values().some((list) => list === undefined) || able.size === 0) continue
    const kept = choices[kind]?.target
    const isPossible = kept !== undefined && able.values().some((list) => list.includes(kept))
    const target = isPossible ? kept : defaultOf(kind, able, members)
    if (target === undefined) continue
    if (target !== kept) kinds.set(kind, target)
    for (const { id, source } of members) {
      const list = able.get(source)
      const other = list && !list.includes(target) && preferredTarget(kind, [source], list)
      if (other) own.set(id, other)
    }
  }
  return { kinds, items: own }
}

/** The target that all sources of a kind can become, or else that of its most common source. */
function defaultOf(kind: Kind, able: KnownTargets, members: readonly Item[]): string | undefined {
  const common = commonTargets([...able.values()])
  if (common.length > 0) return preferredTarget(kind, [...able.keys()], common)
  const amountOf = (source: string) => members.filter((item) => item.source === source).length
  const [most = ''] = [...able.keys()].toSorted((a, b) => amountOf(b) - amountOf(a))
  return preferredTarget(kind, [most], able.get(most) ?? [])
}

function isStaged({ stage, source, partOf }: Item): boolean {
  return stage === 'staged' && source !== '' && partOf === undefined
}

/** The formats of the files that are not converted yet. */
export function stagedSources(items: Iterable<Item>): ReadonlySet<string> {
  const sources = new Set<string>()
  for (const item of items) if (isStaged(item)) sources.add(item.source)
  return sources
}

/** Whether a staged file can be converted, as far as is known: `unknown` until its possible targets are loaded. */
export function readinessOf(
  item: Item,
  choices: ConverterState['choices'],
  known: KnownTargets,
): 'ready' | 'impossible' | 'unknown' | 'looking' {
  if (item.lookUp) return 'looking'
  if (item.source === '' || known.get(item.source)?.length === 0) return 'impossible'
  return targetOf(item, choices) !== undefined && known.has(item.source) ? 'ready' : 'unknown'
}
