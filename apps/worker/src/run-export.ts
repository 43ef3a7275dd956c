import { Readable } from 'node:stream'
import type { Exporter } from '@lathe/connectors'
import type { FileRecord, NewFile } from '@lathe/database'
import { failure, isFailure } from '@lathe/domain'
import { cleanFolder } from '@lathe/formats'
import { asExport, type Payload } from '@lathe/operations'
import { ObjectMissing } from '@lathe/storage'
import { inputFiles } from './input-files.ts'
import { numberedNames } from './output-names.ts'
import { StorageFault } from './patient-store.ts'
import type { Services } from './services.ts'
import type { RunEnd, TaskRun } from './task-run.ts'
import { withSecrets } from './with-secrets.ts'

/** Delivers the inputs' files: as download links, or to the owner's storage. */
export async function runExport(services: Services, run: TaskRun): Promise<RunEnd> {
  const sources = inputFiles(run.claim.inputs, run.claim.claimedAt)
  if (isFailure(sources)) return sources
  const { operation } = run.claim.task
  if (asExport(operation)?.keepsFiles) return keepForDownload(services, run, sources)
  const exporter = services.exporters.get(operation)
  if (!exporter) return failure('unsupported', { text: `This server has no connector for ${operation}.` })
  return handOver(services, run, { exporter, sources })
}

/**
 * Copies the inputs' files to the export, which keeps them for its own 4 hours. The storage copies the bytes itself.
 */
async function keepForDownload(
  { store }: Services,
  { claim, signal, progress, keyOf, times, pace }: TaskRun,
  sources: readonly FileRecord[],
): Promise<RunEnd> {
  const names = exportNames(claim.task.payload, sources)
  const folders = exportFolders(claim)
  const files: NewFile[] = []
  for (const [n, { key: from, format, size, sha256, crc32, filename }] of sources.entries()) {
    const key = keyOf(n)
    try {
      await times.measure('store', () => pace.during(() => store.copy(from, key, { signal, size })))
    } catch (error) {
      if (error instanceof ObjectMissing) return failure('input_expired')
      throw error
    }
    files.push({ n, key, format, size, sha256, crc32, filename: names[n] ?? filename, folder: folders[n] ?? null })
    progress((n + 1) / sources.length)
  }
  return { kind: 'done', files, warnings: [] }
}

/** With an archive, the given name is the archive's, and the files keep theirs. */
function exportNames(
  { filename, archive_multiple_files: archive }: Payload,
  sources: readonly { filename: string; format: string }[],
): readonly string[] {
  if (filename === undefined || archive) return sources.map((source) => source.filename)
  return numberedNames(
    filename,
    sources.map(({ format }) => format),
  )
}

/** The folder of each file in a ZIP. The files of an input that is itself an export are at the top level. */
function exportFolders({ task, inputs }: TaskRun['claim']): readonly (string | null)[] {
  const { folders } = task.payload
  if (!folders) return []
  const byTask = new Map(task.dependsOn.map((id, n) => [id, cleanFolder(folders[n] ?? '')]))
  return inputs.flatMap(({ id, files }) => files.map(() => byTask.get(id) || null))
}

interface HandOver {
  readonly exporter: Exporter
  readonly sources: readonly FileRecord[]
}

async function handOver({ store, sealer }: Services, run: TaskRun, { exporter, sources }: HandOver): Promise<RunEnd> {
  const { signal, claim, progress, times, pace } = run
  const { id: taskId, ownerId } = claim.task
  let fault: StorageFault | undefined
  const noteFault = (error: Error) => {
    if (error instanceof StorageFault) fault = error
  }
  const files = sources.map(({ key, size, ...file }) => ({
    ...file,
    size,
    async open(from = 0) {
      const range = from > 0 ? { range: { start: from, end: size - 1 } } : {}
      const content = await store.open(key, { signal, ...range })
      if (!content) throw new ObjectMissing(key)
      content.on('error', noteFault)
      return Readable.from(pace.send(content), { objectMode: false })
    },
  }))
  try {
    // Files are sent while they are read: the whole time counts as storing.
    const handed = { signal, taskId, ownerId, files, progress }
    const exported = await times.measure('store', () => exporter.run(withSecrets(sealer, claim), handed))
    // A connector may mistake a storage fault for a fault of its target.
    if (isFailure(exported) && fault) throw fault
    return isFailure(exported) ? exported : { kind: 'done', files: [], warnings: [], exported }
  } catch (error) {
    if (error instanceof ObjectMissing) return failure('input_expired')
    throw error
  }
}
