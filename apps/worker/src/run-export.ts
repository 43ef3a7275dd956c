import type { NewFile } from '@lathe/database'
import { failure, isFailure } from '@lathe/domain'
import { ObjectMissing, objectKey } from '@lathe/storage'
import { inputFiles } from './input-files.ts'
import { numberedNames } from './output-names.ts'
import type { Services } from './services.ts'
import type { RunEnd, TaskRun } from './task-run.ts'

/** Copies the inputs' files to the export, which keeps them for 4 hours of its own. The storage moves the bytes itself. */
export async function runExport({ store, clock }: Services, { claim, signal, progress }: TaskRun): Promise<RunEnd> {
  const { task, fence, inputs } = claim
  const sources = inputFiles(inputs, clock.now())
  if (isFailure(sources)) return sources
  const names = exportNames(task.payload, sources)
  const files: NewFile[] = []
  for (const [n, { key: from, format, size, sha256, crc32, filename }] of sources.entries()) {
    const key = objectKey({ taskId: task.id, attempt: fence.attempt, n })
    try {
      await store.copy(from, key, { signal, size })
    } catch (error) {
      if (error instanceof ObjectMissing) return failure('input_expired')
      throw error
    }
    files.push({ n, key, format, size, sha256, crc32, filename: names[n] ?? filename })
    progress((n + 1) / sources.length)
  }
  return { kind: 'done', files, warnings: [] }
}

/** With an archive the given name is the archive's, and the files keep theirs. */
function exportNames(
  { filename, archive_multiple_files: archive }: Record<string, unknown>,
  sources: readonly { filename: string; format: string }[],
): readonly string[] {
  if (typeof filename !== 'string' || archive === true) return sources.map((source) => source.filename)
  return numberedNames(
    filename,
    sources.map(({ format }) => format),
  )
}
