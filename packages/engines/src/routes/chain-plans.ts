import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Findings, Plan, PlanRequest, SourceFile } from '../engine.ts'
import type { RouteStep } from './route.ts'

/** A step and its options. */
export interface Leg {
  readonly step: RouteStep
  readonly options: PlanRequest['options']
}

/** One plan for all steps: each works on the output of the previous one, in the same job folder. */
export function chainPlans(source: SourceFile, [leg, ...rest]: readonly Leg[]): Plan | Failure {
  if (leg === undefined) throw new Error('a route has no steps')
  const { engine, ability } = leg.step
  const { operation, to } = ability
  const plan = engine.plan({ operation, sources: [source], to, options: leg.options })
  return isFailure(plan) || rest.length === 0 ? plan : followedBy(plan, source, rest)
}

/** A plan, and then the steps that work on its output. */
export function followedBy(plan: Plan, source: SourceFile, rest: readonly Leg[]): Plan {
  const { next, outputs } = plan
  return {
    ...plan,
    next(found) {
      if (next === undefined) return goOn(outputs, found, source, rest)
      const own = next(found)
      return isFailure(own) ? own : followedBy(own, source, rest)
    },
  }
}

const onlyFirst = 'Only the first page was converted: the format in between holds one.'

function goOn(outputs: Plan['outputs'], { sizes }: Findings, before: SourceFile, rest: readonly Leg[]): Plan | Failure {
  const [made] = outputs
  const [file, ...more] = made ? filesOf(made.file, Object.keys(sizes)) : []
  if (made === undefined || file === undefined) return failure('output_missing', { detail: 'a step made no file' })
  // Runners accept only names of source files.
  const as = `in-${rest.length}.${made.format}`
  const plan = chainPlans({ ...before, file: as, format: made.format, size: sizes[file] ?? 0 }, rest)
  if (isFailure(plan)) return plan
  const warnings = more.length > 0 || outputs.length > 1 ? [onlyFirst, ...plan.warnings] : plan.warnings
  return { ...plan, warnings, takesOver: { file, as } }
}

/** The files that match a name in which `*` is a number, ordered by that number. */
function filesOf(name: string, present: readonly string[]): readonly string[] {
  const [before = '', after] = name.split('*')
  if (after === undefined) return present.filter((file) => file === name)
  const numberOf = (file: string) => file.slice(before.length, file.length - after.length)
  return present
    .filter((file) => file.startsWith(before) && file.endsWith(after) && /^\d+$/.test(numberOf(file)))
    .sort((a, b) => Number(numberOf(a)) - Number(numberOf(b)))
}
