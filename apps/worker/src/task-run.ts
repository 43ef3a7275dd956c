import type { NewFile } from '@lathe/database'
import type { ExportedFile, Failure } from '@lathe/domain'
import type { Claim } from '@lathe/orchestrator'
import type { Logger, Span } from '@lathe/runtime'
import type { EngineRun } from './engine-run.ts'
import type { EngineSlot } from './engine-slots.ts'
import type { RunTimes } from './run-times.ts'

/** A claimed task, as it is handed to a run. */
export interface ClaimedTask {
  readonly claim: Claim
  /** How many tasks its owner had queued or running with it; 1 if not given. */
  readonly rank?: number
  readonly signal: AbortSignal
  readonly log: Logger
  /** What it may start engines with, if it needs them. */
  readonly slot?: EngineSlot | undefined
  /** Its part of the trace it belongs to, if one is recorded. */
  readonly span?: Span
  progress(share: number): void
}

/** One attempt at a task: what was claimed, and when to stop. */
export interface TaskRun extends Omit<ClaimedTask, 'slot' | 'rank'> {
  readonly span: Span
  readonly engine: EngineRun
  readonly times: RunTimes
  /** The object key of the run's n-th file, which no other run ever writes. */
  keyOf(n: number): string
}

/** What an attempt brought: files that lie in storage and wait to be named, or a reason why not. */
export type RunEnd =
  | {
      readonly kind: 'done'
      readonly files: readonly NewFile[]
      readonly warnings: readonly string[]
      readonly exported?: readonly ExportedFile[]
    }
  | Failure
