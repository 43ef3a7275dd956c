import { type Ability, advertised, engines } from '@lathe/engines'
import { type GivenOptions, takesOutputFormat } from '@lathe/operations'

/** An advertised ability with its engine. */
export interface Pair extends Ability {
  readonly engine: string
}

// The sample for files of any kind.
const anything = 'png'

/** All advertised pairs. */
export const pairs: readonly Pair[] = advertised.map((ability) => ({
  ...ability,
  from: ability.from === '*' ? anything : ability.from,
  engine: engines.find(({ abilities }) => abilities.includes(ability))?.id ?? '',
}))

/** Values for options without which an operation has nothing to do. All samples are larger and longer than this. */
const needed: Readonly<Record<string, GivenOptions>> = {
  crop: { x: 8, y: 8, width: 64, height: 48 },
  trim: { start: '0', end: '1', pages: '1' },
  reorder: { order: '1' },
  watermark: { text: 'Draft' },
  encrypt: { owner_password: 'open sesame' },
  metadata: { remove: 'private', title: 'A new title', date: '2024-05-31' },
}

/** The options that an operation needs, as far as this pair supports them. */
export function neededOptions({ operation, options }: Ability): GivenOptions {
  const known = new Set(options.map(({ name }) => name))
  return Object.fromEntries(Object.entries(needed[operation] ?? {}).filter(([name]) => known.has(name)))
}

/** The text of a pair for people. */
export function describePair({ operation, from, to }: Pick<Ability, 'operation' | 'from' | 'to'>): string {
  return takesOutputFormat(operation) ? `${operation} ${from} → ${to}` : `${operation} ${from}`
}
