import type { NewFile } from '@lathe/database'
import type { ExportedFile, Failure } from '@lathe/domain'
import type { Claim } from '@lathe/orchestrator'
import type { Logger } from '@lathe/runtime'

/** One attempt at a task: what was claimed, and when to stop. */
export interface TaskRun {
  readonly claim: Claim
  readonly signal: AbortSignal
  readonly log: Logger
  progress(share: number): void
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
