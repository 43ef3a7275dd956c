import { parser } from '@prometheus-io/lezer-promql'
import { alerts, recordings } from './alerts.ts'
import { boards } from './boards/all.ts'

/** A metric in an expression, and the labels that select or group it. */
export interface Used {
  readonly metric: string
  readonly labels: readonly string[]
}

/** Every expression in dashboards and rules. */
export const expressions: readonly string[] = [
  ...boards.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
  ...recordings.map(({ expr }) => expr),
  ...alerts.map(({ expr }) => expr),
]

/** The service metrics used in dashboards and rules, without the series that rules record. */
export function usedMetrics(): readonly string[] {
  const names = expressions.flatMap((expr) => readExpression(expr).map(({ metric }) => metric))
  return [...new Set(names)].filter((name) => !name.includes(':')).sort()
}

/** Parses a PromQL expression; throws if it is invalid. */
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
