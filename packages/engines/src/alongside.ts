import { type Failure, isFailure, nameFile } from '@lathe/domain'
import { allOrFailure } from './all-or-failure.ts'
import type { Findings, Plan } from './engine.ts'

/** Combines independent plans into one plan. They run round by round until the last one has ended. */
export function alongside(plans: readonly Plan[]): Plan {
  const all: Plan = {
    kind: 'plan',
    steps: plans.flatMap(({ steps }) => steps),
    outputs: plans.flatMap(({ outputs }) => outputs),
    warnings: [...new Set(plans.flatMap(({ warnings }) => warnings))],
  }
  if (!plans.some(({ next }) => next !== undefined)) return all
  return { ...all, next: (found) => nextOfAll(plans, found) }
}

function nextOfAll(plans: readonly Plan[], { stdout, results, sizes }: Findings): Plan | Failure {
  let at = 0
  const followers = plans.map((plan) => {
    const [from, to] = [at, at + plan.steps.length]
    at = to
    const own = { stdout: stdout.slice(from, to), results: results.slice(from, to), sizes }
    return plan.next ? plan.next(own) : ended(plan.outputs)
  })
  const next = allOrFailure(followers)
  return isFailure(next) ? next : alongside(next)
}

/** A plan without further steps. */
export function ended(outputs: Plan['outputs'], warnings: Plan['warnings'] = []): Plan {
  return { kind: 'plan', steps: [], outputs, warnings }
}

/** Runs a plan to its end, then continues with the plan that `then` returns. */
export function andThen(plan: Plan, then: () => Plan | Failure): Plan | Failure {
  if (plan.steps.length === 0 && plan.next === undefined) return then()
  return {
    ...plan,
    next(found) {
      const next = plan.next?.(found)
      if (next === undefined) return then()
      return isFailure(next) ? next : withWarnings(next, andThen({ ...next, warnings: [] }, then))
    },
  }
}

function withWarnings({ warnings }: Plan, plan: Plan | Failure): Plan | Failure {
  return isFailure(plan) ? plan : { ...plan, warnings: [...warnings, ...plan.warnings] }
}

/** The same plan, with the number of the file in every warning and failure. */
export function aboutFile(number: number, plan: Plan): Plan {
  const about = `File ${number}`
  const { next } = plan
  return {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, about })),
    warnings: plan.warnings.map((warning) => `${about}: ${warning}`),
    ...(next && { next: (found: Findings) => orAboutFile(number, next(found)) }),
  }
}

function orAboutFile(number: number, found: Plan | Failure): Plan | Failure {
  return isFailure(found) ? nameFile(`File ${number}`, found) : aboutFile(number, found)
}
