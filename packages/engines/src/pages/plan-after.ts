import type { Findings, Plan, Step } from '../engine.ts'

/** The same plan with steps to be done before its own. */
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

/** What was found, but for what the first steps left. */
function without({ stdout, results, failed, sizes }: Findings, skip: number): Findings {
  const rest = { sizes, stdout: stdout.slice(skip), results: results.slice(skip) }
  return failed === undefined ? rest : { ...rest, failed: failed.slice(skip) }
}
