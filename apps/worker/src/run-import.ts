import type { NewFile } from '@lathe/database'
import { failure, outOfStorageText } from '@lathe/domain'
import { createHeadWatch } from '@lathe/formats'
import { traced } from '@lathe/runtime'
import { objectKey, SizeExceeded } from '@lathe/storage'
import { StorageFault } from './patient-store.ts'
import type { Services } from './services.ts'
import type { RunEnd, TaskRun } from './task-run.ts'
import { withSecrets } from './with-secrets.ts'

/** Imports a task's files into storage, under keys of this run. */
export async function runImport({ importers, store, work, sealer }: Services, run: TaskRun): Promise<RunEnd> {
  const { task, storage } = run.claim
  const importer = importers.get(task.operation)
  if (!importer) return failure('unsupported', { text: `This server has no connector for ${task.operation}.` })
  const files: NewFile[] = []
  const warnings: string[] = []
  let fault: StorageFault | undefined
  const context = {
    signal: run.signal,
    ownerId: task.ownerId,
    maxSize: work.maxFileBytes,
    warn: (text: string) => void warnings.push(text),
    progress: run.progress,
    async save(filename: string, source: AsyncIterable<Uint8Array>) {
      const n = files.length
      const head = createHeadWatch()
      const key = run.keyOf(n)
      const stored = files.reduce((sum, { size: each }) => sum + each, 0)
      const maxSize = Math.min(work.maxFileBytes, Math.max(0, storage.most - storage.used - stored))
      const options = { signal: run.signal, maxSize }
      const put = () => store.put(key, head.watch(run.pace.receive(source)), options)
      const { size, sha256, crc32 } = await traced(run.span, 'store', put).catch((error) => {
        if (error instanceof StorageFault) fault = error
        throw error
      })
      files.push({ n, key, filename, format: head.formatOf(filename), size, sha256, crc32 })
    },
    async openStaged() {
      const staged = await store.open(objectKey({ taskId: task.id, attempt: 0, n: 0 }), { signal: run.signal })
      if (!staged) throw new Error('the content that came with the request is gone')
      return staged
    },
  }
  try {
    // Files are stored while they arrive: the whole time counts as fetching.
    const work = () => importer.run(withSecrets(sealer, run.claim), context)
    const failed = await run.times.measure('fetch', importer.runsEngine ? () => run.pace.during(work) : work)
    // A connector may mistake a storage fault for a fault of its source.
    if (failed && fault) throw fault
    return failed ?? { kind: 'done', files, warnings }
  } catch (error) {
    if (!(error instanceof SizeExceeded)) throw error
    if (error.maxSize === work.maxFileBytes) return tooLarge(work.maxFileBytes)
    return failure('out_of_storage', { text: outOfStorageText(storage) })
  }
}

function tooLarge(maxSize: number) {
  return failure('limit_exceeded', { text: `The file is larger than the ${maxSize} bytes this service allows.` })
}
