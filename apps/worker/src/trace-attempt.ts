import type { Claim } from '@lathe/orchestrator'
import { attemptSpanId, formatTraceParent, parseTraceParent, type Span } from '@lathe/runtime'
import type { Services } from './services.ts'

/**
 * Records how long a task waited, and begins the span of this attempt. All attempts belong to the request that created
 * the task. Each attempt after the first links to the one before it.
 */
export function traceAttempt({ traces, clock }: Pick<Services, 'traces' | 'clock'>, claim: Claim): Span {
  const { traceParent, task, fence, wait } = claim
  const { attempt } = fence
  const now = clock.now()
  const attributes = {
    'lathe.task': task.id,
    'lathe.attempt': attempt,
    'lathe.pool': wait.pool,
    'lathe.lane': wait.lane,
  }
  const startedAt = new Date(now.getTime() - wait.ms)
  traces.resume(traceParent, 'queue', { kind: 'consumer', attributes, startedAt }).end()
  return traces.resume(traceParent, `task ${task.operation}`, {
    attributes,
    spanId: attemptSpanId(task.id, attempt),
    links: [attempt > 1 ? attemptBefore(claim) : undefined],
  })
}

function attemptBefore({ traceParent, task, fence }: Claim): string | undefined {
  const trace = parseTraceParent(traceParent)
  return trace && formatTraceParent({ ...trace, spanId: attemptSpanId(task.id, fence.attempt - 1) })
}
