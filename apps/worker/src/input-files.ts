import type { FileRecord, TaskRecord } from '@lathe/database'
import { causeOfBadInput, type Failure, failure, isBadEnd, isFailure } from '@lathe/domain'
import type { Claim } from '@lathe/orchestrator'

/** The files of a task's inputs: in the order of the inputs, then of the files inside each. */
export function inputFiles(inputs: readonly TaskRecord[], now: Date): readonly FileRecord[] | Failure {
  for (const { status, files } of inputs) {
    // The input was deleted between its completion and our claim: its bytes are gone or will be soon.
    if (isBadEnd(status)) return failure(causeOfBadInput[status])
    if (files.some(({ expiresAt }) => expiresAt <= now)) return failure('input_expired')
  }
  const files = inputs.flatMap((input) => input.files)
  return files.length > 0 ? files : failure('no_files')
}

/** The file of each role. A task may produce any number of files, so only now it is known that there is exactly one. */
export function roleFiles({ roles }: Pick<Claim, 'roles'>, now: Date): Readonly<Record<string, FileRecord>> | Failure {
  const found: Record<string, FileRecord> = {}
  for (const [role, tasks] of Object.entries(roles)) {
    const files = inputFiles(tasks, now)
    if (isFailure(files)) return files
    const [file] = files
    if (!file || files.length > 1) {
      return failure('unsupported', { text: `The ${role} must be one file, but its task has ${files.length}.` })
    }
    found[role] = file
  }
  return found
}
