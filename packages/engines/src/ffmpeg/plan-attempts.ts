import { isFailure } from '@lathe/domain'
import type { Plan, ProcessStep } from '../engine.ts'
import type { MediaJob } from './job.ts'

/** One way to create a result, with a warning for the owner if it is the one that worked. */
export interface Variant {
  readonly steps: readonly ProcessStep[]
  readonly warning?: string
}

/** The output, and the variants to create it, best first. */
export interface Attempts {
  readonly output: string
  /** Warnings for every variant. */
  readonly warnings: readonly string[]
  readonly variants: readonly [Variant, ...Variant[]]
}

/**
 * Plans the first of several variants to create one file, and the next one whenever FFmpeg fails: a container may
 * refuse a stream that seems to fit, or one of two streams may be unreadable. If the last variant fails, the task
 * fails.
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
