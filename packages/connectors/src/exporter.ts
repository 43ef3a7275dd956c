import type { Readable } from 'node:stream'
import type { ExportedFile, Failure, ObjectId } from '@lathe/domain'
import type { Operation } from '@lathe/operations'

/** A file to be handed out. */
export interface ExportFile {
  readonly filename: string
  readonly format: string
  readonly size: number
  /** In hex. */
  readonly sha256: string
  /** Its bytes, from the given one on: a broken transfer may be taken up again. */
  open(from?: number): Promise<Readable>
}

/** What an export may do with its task. */
export interface ExportContext {
  readonly signal: AbortSignal
  readonly taskId: ObjectId
  readonly ownerId: ObjectId
  readonly files: readonly ExportFile[]
  /** Tells the share done, 0 to 1. */
  progress(share: number): void
}

/** Puts a task's files where their owner wants them: each whole or not at all. What a target does wrong is a Failure. */
export interface Exporter {
  readonly operation: Operation
  run(payload: Readonly<Record<string, unknown>>, context: ExportContext): Promise<readonly ExportedFile[] | Failure>
}
