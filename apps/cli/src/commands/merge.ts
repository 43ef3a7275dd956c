import { stat } from 'node:fs/promises'
import { type Lathe, LatheError } from '@lathe/sdk'
import { findFiles, sourceOf } from '../batch/find-files.ts'
import { exists, formatOf, saveAs } from '../batch/place.ts'
import { recognizeInputs, wouldOverwriteInput } from '../batch/recognize-inputs.ts'
import { createReporter } from '../batch/reporter.ts'
import { exitCodes, UsageError } from '../exit-codes.ts'
import type { GivenOptions } from '../option-flags.ts'
import { toOptionValues } from '../option-values.ts'

export interface MergeFlags {
  readonly output: string
  readonly force?: boolean
  readonly json?: boolean
}

interface Combining {
  readonly patterns: readonly string[]
  readonly least: number
  readonly given: GivenOptions
  readonly flags: MergeFlags
  readonly signal: AbortSignal
}

/** Merges several files into one, in the given order. */
export async function combine(
  lathe: Lathe,
  operation: 'merge' | 'archive',
  { patterns, least, given, flags: { output, force, json }, signal }: Combining,
): Promise<number> {
  const files = await findFiles(patterns)
  if (files.length < least)
    throw new UsageError(`${operation} needs more files: at least ${least}, and this is ${files.length}.`)
  const to = /\.((?:tar\.)?[a-z0-9]+)$/i.exec(output)?.[1]?.toLowerCase() ?? ''
  if (to === '') throw new UsageError('The name of the result says its format: --output all.pdf')
  const isInput = await recognizeInputs(files)
  if (await isInput(output)) throw new UsageError(wouldOverwriteInput(output))
  if (await exists(output)) {
    if ((await stat(output)).isDirectory())
      throw new UsageError(`${output} is a folder. Name a file: --output ${output}/all.pdf`)
    if (!force) throw new UsageError(`${output} exists. Use --force to replace it.`)
  }
  const [first] = files
  const from = first ? formatOf(first) : ''
  const options = given.size > 0 ? toOptionValues(given, await lathe.options(operation, { from, to } as never)) : {}
  const reporter = createReporter(json ? { json } : {})
  const startedAt = Date.now()
  const onProgress = (sent: number, size: number) =>
    reporter.step({ file: output, share: (0.5 * sent) / (size || 1), doing: 'sending' })
  reporter.start(1)
  const sources = files.map(sourceOf)
  const run = { signal, onProgress, to: to as never }
  const [result] = await lathe.run(operation, sources, options as never, run)
  if (!result) throw new LatheError('The service gave no result.')
  await saveAs(result, output, signal)
  reporter.ended({
    status: 'done',
    file: `${files.length} files`,
    outputs: [output],
    bytes: result.size,
    ms: Date.now() - startedAt,
  })
  reporter.finish({ done: 1, skipped: 0, planned: 0, failed: 0 })
  return exitCodes.ok
}
