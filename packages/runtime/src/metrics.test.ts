import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

it('shows what was counted in the Prometheus text format', async () => {
  const metrics = createMetrics()
  metrics.dispatchFailures.inc({ kind: 'enqueue' })
  expect(await metrics.registry.metrics()).toContain('lathe_dispatch_failures_total{kind="enqueue"} 1')
})

it('keeps the counts of two processes apart', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.staleWrites.inc()
  expect(await other.registry.metrics()).toContain('lathe_stale_writes_total 0')
})
