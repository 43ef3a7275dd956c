import type { NewFile } from '@lathe/database'
import type { ExportedFile, Failure } from '@lathe/domain'
import type { Claim } from '@lathe/orchestrator'
import type { Logger, Span } from '@lathe/runtime'
import type { EngineRun } from './engine-run.ts'
import type { EngineSlot } from './engine-slots.ts'
import type { RunTimes } from './run-times.ts'
import type { TransferPace, TransferSlot } from './transfer-gate.ts'

/** A claimed task, as it is passed to a run. */
export interface ClaimedTask {
  readonly claim: Claim
  /** How many tasks its owner had queued or running, including this one. Default: 1. */
  readonly rank?: number
  readonly signal: AbortSignal
  readonly log: Logger
  /** The slot for its engines, if it needs any. */
  readonly slot?: EngineSlot | undefined
  /** The slot of an import or export. */
  readonly transfer?: TransferSlot
  /** Its part of the trace, if one is recorded. */
  readonly span?: Span
  progress(share: number): void
}

/** One attempt at a task: what was claimed, and when to stop. */
export interface TaskRun extends Omit<ClaimedTask, 'slot' | 'rank' | 'transfer'> {
  readonly span: Span
  readonly engine: EngineRun
  readonly times: RunTimes
  readonly pace: TransferPace
  /** The object key of the run's n-th file. No other run ever writes it. */
  keyOf(n: number): string
}

/** The result of an attempt: stored files that no row refers to yet, or the reason for the failure. */
export type RunEnd =
  | {
      readonly kind: 'done'
      readonly files: readonly NewFile[]
      readonly warnings: readonly string[]
      readonly exported?: readonly ExportedFile[]
    }
  | Failure
