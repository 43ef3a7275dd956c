import { readdir, readFile } from 'node:fs/promises'
import { createMetrics } from '@lathe/runtime'
import { describe, expect, it } from 'vitest'
import { alerts, recordings } from './alerts.ts'
import { boards } from './boards/all.ts'
import { expressions, readExpression, usedMetrics } from './used-metrics.ts'

const runbooks = new URL('../../../docs/runbooks/', import.meta.url)

/** Every series the processes show, with the labels it has. */
function shownSeries(): ReadonlyMap<string, ReadonlySet<string>> {
  const { registry } = createMetrics({ defaults: true })
  return new Map(
    registry.getMetricsAsArray().flatMap((metric) => {
      // Not in its types: what a metric was made with.
      const { labelNames = [] } = metric as unknown as { labelNames?: readonly string[] }
      const labels = new Set([...labelNames, 'instance', 'le'])
      return ['', '_bucket', '_sum', '_count'].map((end) => [`${metric.name}${end}`, labels] as const)
    }),
  )
}

describe('the queries of dashboards and rules', () => {
  const shown = shownSeries()
  const recorded = new Set(recordings.map(({ name }) => name))

  it.each(expressions)('%s asks for what there is', (expr) => {
    for (const { metric, labels } of readExpression(expr)) {
      if (metric.includes(':')) expect(recorded).toContain(metric)
      else {
        expect([...shown.keys()]).toContain(metric)
        for (const label of labels) expect([...(shown.get(metric) ?? [])], metric).toContain(label)
      }
    }
  })

  it('are read: a metric that nobody shows is found', () => {
    expect(usedMetrics().length).toBeGreaterThan(30)
    expect(readExpression('sum by (a) (rate(x{b="c"}[5m])) / y')).toEqual([
      { metric: 'x', labels: ['a', 'b'] },
      { metric: 'y', labels: ['a', 'b'] },
    ])
    expect(() => readExpression('sum by (')).toThrow(/not PromQL/)
  })

  it('name no owner, user, task or file', () => {
    for (const labels of shown.values()) expect([...labels].join(' ')).not.toMatch(/owner|user|task|file|key/)
  })
})

describe('an alert', () => {
  it('has a runbook that says what to look at and what to do, and no runbook is left over', async () => {
    const pages = (await readdir(runbooks)).filter((name) => name !== 'README.md').sort()
    const names = [...new Set(alerts.map(({ name }) => name))].sort()
    expect(pages).toEqual(names.map((name) => `${name}.md`))
    for (const page of pages) {
      const text = await readFile(new URL(page, runbooks), 'utf8')
      expect(text, page).toMatch(/^# Lathe\w+\n\n.+\n\n## Look at\n\n- [\s\S]+\n## Do\n\n- /)
    }
  })
})

it('a panel has a title of its own, and says what it means', () => {
  for (const { panels } of boards) {
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
    for (const { about } of panels) expect(about.length).toBeGreaterThan(10)
  }
})
