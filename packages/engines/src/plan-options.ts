import { type Failure, failure, isFailure } from '@lathe/domain'
import { type CheckedOptions, checkOptions } from './check-options.ts'
import { type Ability, anyFormat, type PlanRequest, type SourceFile } from './engine.ts'
import type { OptionValues } from './option-descriptor.ts'

/** Options of a request with the descriptors they were read by. */
export interface PlanOptions<One extends Ability = Ability> extends CheckedOptions<OptionsOf<readonly One[]>> {
  readonly descriptors: One['options']
}

/** What the options of requests are to an engine with these abilities. */
export type OptionsOf<Abilities extends readonly Ability[]> = OptionValues<Abilities[number]['options'][number]>

/** Options as the abilities of these sources see them; a merge takes what any of its sources knows. */
export function checkPlanOptions<One extends Ability>(
  abilities: readonly One[],
  { operation, to, options }: PlanRequest,
  sources: readonly SourceFile[],
): PlanOptions<One> | Failure {
  const found = sources.map(({ format }) =>
    abilities.find(
      (one) => one.to === to && one.operation === operation && (one.from === format || one.from === anyFormat),
    ),
  )
  if (found.includes(undefined)) return failure('unsupported')
  // What the compiler does not see here: an element of the lists of `One` is one of its options.
  const known = found.flatMap((ability) => ability?.options ?? []) as One['options'][number][]
  const byName = new Map(known.map((option) => [option.name, option]))
  const descriptors = [...byName.values()]
  const result = checkOptions(descriptors, options)
  if (result.errors.length === 0) return { ...result, descriptors }
  // An unknown name is a stranger's string: it is shown to its owner, cut short.
  const text = result.errors.map(({ path, msg }) => `The option ${path.slice(0, 64)} ${msg}`).join(' ')
  return failure('unsupported', { text })
}

/** The one source of a request, and its options as the abilities see them; requests of several sources are refused. */
export function checkOneSource<One extends Ability>(
  abilities: readonly One[],
  request: PlanRequest,
): (PlanOptions<One> & { readonly source: SourceFile }) | Failure {
  const [source] = request.sources
  if (source === undefined || request.sources.length > 1) return failure('unsupported')
  const checked = checkPlanOptions(abilities, request, [source])
  return isFailure(checked) ? checked : { ...checked, source }
}

/** What several sets of options were warned of, each thing once. */
export function warningsOf(parts: readonly { readonly warnings: readonly string[] }[]): readonly string[] {
  return [...new Set(parts.flatMap(({ warnings }) => warnings))]
}
