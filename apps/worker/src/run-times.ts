import type { TaskTimes } from '@lathe/domain'
import type { Claim } from '@lathe/orchestrator'
import { type Span, traced } from '@lathe/runtime'
import type { EngineRun } from './engine-run.ts'

/** Measures how the time of one attempt is spent. */
export interface RunTimes {
  /** Runs a part of the work and measures how long it takes. Also records it as a span of the trace. */
  measure<T>(part: Part, work: () => Promise<T>): Promise<T>
  /** The times measured so far. */
  sum(): TaskTimes
}

type Part = 'fetch' | 'store'

interface RunTimesParts {
  readonly wait: Pick<Claim['wait'], 'ms'>
  readonly span: Span
  readonly engine: { readonly clock: Pick<EngineRun['clock'], 'ms'>; readonly waitedMs: number }
}

export function createRunTimes({ wait, span, engine }: RunTimesParts): RunTimes {
  const spent = { fetch: 0, store: 0 }
  return {
    async measure(part, work) {
      const startedAt = performance.now()
      try {
        return await traced(span, part, work)
      } finally {
        spent[part] += performance.now() - startedAt
      }
    },
    sum: () => ({
      queueMs: Math.round(wait.ms + engine.waitedMs),
      fetchMs: Math.round(spent.fetch),
      engineMs: Math.round(engine.clock.ms),
      storeMs: Math.round(spent.store),
    }),
  }
}
