import { type Failure, failure, isFailure } from '@lathe/domain'
import { type CheckedOptions, checkOptions } from './check-options.ts'
import { type Ability, anyFormat, type PlanRequest, type SourceFile } from './engine.ts'
import type { OptionValues } from './option-descriptor.ts'

/** The options of a request with the descriptors that read them. */
export interface PlanOptions<One extends Ability = Ability> extends CheckedOptions<OptionsOf<readonly One[]>> {
  readonly descriptors: One['options']
}

/** The type of the options for an engine with these abilities. */
export type OptionsOf<Abilities extends readonly Ability[]> = OptionValues<Abilities[number]['options'][number]>

/** Checks options against the abilities for these sources. A merge accepts the options of any of its sources. */
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
  // The compiler cannot infer that an element of these lists is one of the options of `One`.
  const known = found.flatMap((ability) => ability?.options ?? []) as One['options'][number][]
  const byName = new Map(known.map((option) => [option.name, option]))
  const descriptors = [...byName.values()]
  const result = checkOptions(descriptors, options)
  if (result.errors.length === 0) return { ...result, descriptors }
  // An unknown name is text from the user. It is shown to the owner, but truncated.
  const text = result.errors.map(({ path, msg }) => `The option ${path.slice(0, 64)} ${msg}`).join(' ')
  return failure('unsupported', { text })
}

/** The only source of a request and its checked options. Requests with several sources are refused. */
export function checkOneSource<One extends Ability>(
  abilities: readonly One[],
  request: PlanRequest,
): (PlanOptions<One> & { readonly source: SourceFile }) | Failure {
  const [source] = request.sources
  if (source === undefined || request.sources.length > 1) return failure('unsupported')
  const checked = checkPlanOptions(abilities, request, [source])
  return isFailure(checked) ? checked : { ...checked, source }
}

/** The warnings of several sets of options, without duplicates. */
export function warningsOf(parts: readonly { readonly warnings: readonly string[] }[]): readonly string[] {
  return [...new Set(parts.flatMap(({ warnings }) => warnings))]
}
