import type { FileHandle } from 'node:fs/promises'
import type { FileRecord } from '@lathe/database'
import { type Failure, failure } from '@lathe/domain'
import type { SourceFile } from '@lathe/engines'
import { detectFormat, detectionBytes, resolveFormat } from '@lathe/formats'
import type { JobFolder } from '@lathe/sandbox'
import type { Services } from './services.ts'
import type { TaskRun } from './task-run.ts'

export interface Fetched {
  readonly sources: readonly SourceFile[]
  readonly warnings: readonly string[]
}

/** Streams the inputs into the job folder under names of ours, and settles what each of them is. */
export async function fetchSources(
  { store }: Services,
  { claim, signal }: TaskRun,
  folder: JobFolder,
  inputs: readonly FileRecord[],
): Promise<Fetched | Failure> {
  const declared = typeof claim.task.payload.input_format === 'string' ? claim.task.payload.input_format : undefined
  const sources: SourceFile[] = []
  const warnings: string[] = []
  for (const [i, { key, filename, size }] of inputs.entries()) {
    const body = await store.open(key, { signal })
    if (!body) return failure('input_expired')
    const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    try {
      const { head, isWhole } = await readHead(chunks)
      const { ext, warning, misnamed } = resolveFormat({ detected: detectFormat(head), declared, filename })
      if (misnamed) return failure('input_damaged', { text: `The input is said to be ${misnamed}, but it is not.` })
      if (!ext)
        return failure('unsupported', { text: 'The format of the input is not known. Name it as input_format.' })
      if (warning) warnings.push(warning)
      // Some engines go by the extension, so it says what the bytes are and never what the owner called them.
      const file = `in-${i}.${ext}`
      await using target = await folder.createFile(file)
      await writeAll(target, head, isWhole ? undefined : chunks)
      sources.push({ file, format: ext, size, filename })
    } finally {
      // Closes the download where it was not read to its end.
      await chunks.return?.()
    }
  }
  return { sources, warnings }
}

// Each write is a trip to another thread, so chunks are written many at once.
const batchBytes = 2 ** 20

async function writeAll(target: FileHandle, head: Buffer, rest: AsyncIterator<Buffer> | undefined): Promise<void> {
  let batch = [head]
  let length = head.length
  for (let next = await rest?.next(); next && !next.done; next = await rest?.next()) {
    batch.push(next.value)
    length += next.value.length
    if (length < batchBytes) continue
    await target.writev(batch)
    batch = []
    length = 0
  }
  if (length > 0) await target.writev(batch)
}

async function readHead(chunks: AsyncIterator<Buffer>): Promise<{ head: Buffer; isWhole: boolean }> {
  const parts: Buffer[] = []
  for (let length = 0; length < detectionBytes; ) {
    const next = await chunks.next()
    if (next.done) return { head: Buffer.concat(parts), isWhole: true }
    parts.push(next.value)
    length += next.value.length
  }
  return { head: Buffer.concat(parts), isWhole: false }
}
