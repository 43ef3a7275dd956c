import type { Plan, Step } from '../engine.ts'

/** The same plan with steps to be done before its own. */
export function planAfter(before: readonly Step[], plan: Plan): Plan {
  const { next } = plan
  const steps = [...before, ...plan.steps]
  if (next === undefined) return { ...plan, steps }
  const skip = before.length
  return {
    ...plan,
    steps,
    next: (found) => next({ ...found, stdout: found.stdout.slice(skip), results: found.results.slice(skip) }),
  }
}
