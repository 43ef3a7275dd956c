import type { Failure, ObjectId } from '@lathe/domain'
import type { Operation } from '@lathe/operations'

/** What an import may do with its task. */
export interface ImportContext {
  readonly signal: AbortSignal
  readonly ownerId: ObjectId
  /** Bytes a file may have. */
  readonly maxSize: number
  /** Streams one file to the task's storage; may be called several times. */
  save(filename: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Content that came inside the request and was kept at creation. */
  openStaged(): Promise<AsyncIterable<Uint8Array>>
  /** Says what the owner should know of files that are not all they could be. */
  warn(text: string): void
  /** Tells the share done, 0 to 1. */
  progress(share: number): void
}

/** Brings the files of one import operation. What a source does wrong is a Failure; what storage does wrong is thrown. */
export interface Importer {
  readonly operation: Operation
  run(payload: Readonly<Record<string, unknown>>, context: ImportContext): Promise<Failure | undefined>
}
