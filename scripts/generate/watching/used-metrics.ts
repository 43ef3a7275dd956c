import { parser } from '@prometheus-io/lezer-promql'
import { alerts, recordings } from './alerts.ts'
import { boards } from './boards/all.ts'

/** What an expression asks for: a metric, and the labels it is chosen or grouped by. */
export interface Used {
  readonly metric: string
  readonly labels: readonly string[]
}

/** Every expression of dashboards and rules. */
export const expressions: readonly string[] = [
  ...boards.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
  ...recordings.map(({ expr }) => expr),
  ...alerts.map(({ expr }) => expr),
]

/** The metrics of the service that dashboards and rules ask for; what rules compute themselves is none. */
export function usedMetrics(): readonly string[] {
  const names = expressions.flatMap((expr) => readExpression(expr).map(({ metric }) => metric))
  return [...new Set(names)].filter((name) => !name.includes(':')).sort()
}

/** Reads a PromQL expression; throws if it is none. */
export function readExpression(expr: string): readonly Used[] {
  const metrics: string[] = []
  const labels: string[] = []
  parser.parse(expr).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expr}`)
      const text = expr.slice(from, to)
      // A bare name inside `by (...)` or before `=` is a label.
      if (name === 'Identifier') metrics.push(text)
      if (name === 'LabelName') labels.push(text)
    },
  })
  return metrics.map((metric) => ({ metric, labels }))
}
