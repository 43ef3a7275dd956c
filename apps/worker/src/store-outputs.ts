import type { NewFile } from '@lathe/database'
import { type Failure, failure, isFailure } from '@lathe/domain'
import type { PlannedOutput, SourceFile } from '@lathe/engines'
import { detectionBytes, formatOfFile } from '@lathe/formats'
import { findOutputs, type JobFolder, type Output } from '@lathe/sandbox'
import { outputName } from './output-names.ts'
import type { Services } from './services.ts'
import type { TaskRun } from './task-run.ts'

export interface Outputs {
  readonly folder: JobFolder
  readonly sources: readonly SourceFile[]
  readonly outputs: readonly PlannedOutput[]
  /** How many files of the task are stored already. */
  readonly firstOutput: number
}

export interface Stored {
  readonly files: readonly NewFile[]
  readonly warnings: readonly string[]
}

const notSmaller = 'The result would not have been smaller, so this is the original.'

/** Stores the planned outputs. */
export async function storeOutputs(services: Services, run: TaskRun, group: Outputs): Promise<Stored | Failure> {
  const { folder, sources, firstOutput } = group
  const files: NewFile[] = []
  const warnings: string[] = []
  for (const output of await findOutputs(folder, group.outputs)) {
    const { source, unlessSmallerThan, folder: place } = output
    const made = await services.sandbox.openOutput(folder, output.file)
    if (isFailure(made)) return made
    await using held = new AsyncDisposableStack()
    held.use(made)
    const original = unlessSmallerThan && (await services.sandbox.openOutput(folder, unlessSmallerThan))
    if (isFailure(original)) return original
    if (original) held.use(original)
    const isKept = original && original.size <= made.size
    if (isKept) warnings.push(notSmaller)
    const n = firstOutput + files.length
    const key = run.keyOf(n)
    const { signal } = run
    const { size, sha256, crc32 } = await services.store.putFile(key, isKept ? original : made, { signal })
    const filename = outputName(output, sources[source ?? 0]?.filename ?? '')
    const format = await formatOf(output, made, filename)
    files.push({ n, key, format, size, sha256, crc32, filename, ...(place && { folder: place }) })
  }
  return files.length > 0 ? { files, warnings } : failure('output_missing')
}

/**
 * The format of an output: that of the plan, or, for a file that our engines did not write, the one an import would
 * detect.
 */
async function formatOf({ format, isForeign }: PlannedOutput, file: Pick<Output, 'read'>, filename: string) {
  if (!isForeign) return format
  const head = Buffer.alloc(detectionBytes)
  return formatOfFile(head.subarray(0, await file.read(head, 0)), filename)
}
