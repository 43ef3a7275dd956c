import type { FileRecord, TaskRecord } from '@lathe/database'
import { causeOfBadInput, type Failure, failure, isBadEnd } from '@lathe/domain'

/** The files of a task's inputs: in the order of the inputs, then of the files inside each. */
export function inputFiles(inputs: readonly TaskRecord[], now: Date): readonly FileRecord[] | Failure {
  for (const { status, files } of inputs) {
    // Deleted between its completion and our claim: its bytes are gone or going.
    if (isBadEnd(status)) return failure(causeOfBadInput[status])
    if (files.some(({ expiresAt }) => expiresAt <= now)) return failure('input_expired')
  }
  const files = inputs.flatMap((input) => input.files)
  return files.length > 0 ? files : failure('no_files')
}
