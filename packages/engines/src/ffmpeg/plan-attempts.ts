import { isFailure } from '@lathe/domain'
import type { Plan, ProcessStep } from '../engine.ts'
import type { MediaJob } from './job.ts'

/** One way to make a result, and what the caller should know if it is the one that worked. */
export interface Variant {
  readonly steps: readonly ProcessStep[]
  readonly warning?: string
}

/** What is to be made, and the variants to do it, the best first. */
export interface Attempts {
  readonly output: string
  /** Whatever the way. */
  readonly warnings: readonly string[]
  readonly variants: readonly [Variant, ...Variant[]]
}

/**
 * Plans the first of several variants to make one file, and the next wherever FFmpeg fails: a container may refuse a stream
 * that looks as if it would fit, and of two streams one may be beyond reading. The failure of the last way is the task's.
 */
export function planAttempts(job: MediaJob, { output, warnings, variants }: Attempts): Plan {
  const [{ steps, warning }, next, ...others] = variants
  const outputs = [{ file: output, format: job.to, source: 0 }]
  const own = warning === undefined ? [] : [warning]
  if (next === undefined) return { kind: 'plan', steps, outputs, warnings: [...warnings, ...own] }
  return {
    kind: 'plan',
    steps: steps.map(forgiving),
    outputs,
    warnings,
    next: ({ failed = [] }) =>
      failed.includes(true)
        ? planAttempts(job, { output, warnings: [], variants: [next, ...others] })
        : { kind: 'plan', steps: [], outputs, warnings: own },
  }
}

function forgiving(step: ProcessStep): ProcessStep {
  return {
    ...step,
    readExit: (exit) => {
      const known = step.readExit?.(exit)
      return known === undefined || isFailure(known) ? { hasFailed: true } : known
    },
  }
}
