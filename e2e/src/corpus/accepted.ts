import accepted from './accepted.json' with { type: 'json' }
import type { Result } from './result.ts'

/** Why a file may have a worse result than with the plain tool. */
export type AcceptedReason = 'encrypted' | 'limit' | 'active content' | 'read as text' | 'other'

/** A file of the collections that is refused or converted differently on purpose. */
export interface Accepted {
  /** Collection and file name. */
  readonly file: string
  /** The target; every target if absent. */
  readonly to?: string
  readonly reason: AcceptedReason
  /** One sentence for readers of the report. */
  readonly why: string
}

const listed = accepted as readonly Accepted[]

/** The documented reason for a result that is worse than the plain tool's, if there is one. */
export function findAccepted({ file, to, ours }: Pick<Result, 'file' | 'to' | 'ours'>): Accepted | undefined {
  const found = listed.find((one) => one.file === file && (one.to === undefined || one.to === to))
  if (found !== undefined) return found
  // The service gets no password here and reports that it needs one.
  if (ours.end !== 'input_encrypted') return undefined
  return { file, reason: 'encrypted', why: 'It is protected by a password, which is not given.' }
}
