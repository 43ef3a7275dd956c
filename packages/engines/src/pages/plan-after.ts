import type { Findings, Plan, Step } from '../engine.ts'

/** The same plan with additional steps before its own. */
export function planAfter(before: readonly Step[], plan: Plan): Plan {
  const { next } = plan
  const steps = [...before, ...plan.steps]
  if (next === undefined) return { ...plan, steps }
  const skip = before.length
  return {
    ...plan,
    steps,
    next: (found) => next(without(found, skip)),
  }
}

/** The findings without those of the first steps. */
function without({ stdout, results, failed, sizes }: Findings, skip: number): Findings {
  const rest = { sizes, stdout: stdout.slice(skip), results: results.slice(skip) }
  return failed === undefined ? rest : { ...rest, failed: failed.slice(skip) }
}
