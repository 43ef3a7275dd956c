import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Lathe } from '@lathe/sdk'
import { findFiles } from '../batch/find-files.ts'
import { exists, saveAs } from '../batch/place.ts'
import { formatOf } from '../batch/process-files.ts'
import { createReporter } from '../batch/reporter.ts'
import { exitCodes, UsageError } from '../exit-codes.ts'
import type { GivenOptions } from '../option-flags.ts'
import { toOptionValues } from '../option-values.ts'

export interface MergeFlags {
  readonly output: string
  readonly force?: boolean
  readonly json?: boolean
}

/** Makes one file of several, in the order they were given. */
export async function merge(
  lathe: Lathe,
  patterns: readonly string[],
  given: GivenOptions,
  { output, force, json }: MergeFlags,
  signal: AbortSignal,
): Promise<number> {
  const files = await findFiles(patterns)
  if (files.length < 2) throw new UsageError(`Merging takes two files at least; this is ${files.length}.`)
  const to = extname(output).slice(1).toLowerCase()
  if (to === '') throw new UsageError('The name of the result says its format: --output all.pdf')
  if (await exists(output)) {
    if ((await stat(output)).isDirectory())
      throw new UsageError(`${output} is a folder. Name a file: --output ${output}/all.pdf`)
    if (!force) throw new UsageError(`${output} exists. Use --force to replace it.`)
  }
  const [first] = files
  const from = first ? formatOf(first) : ''
  const options = given.size > 0 ? toOptionValues(given, await lathe.options('merge', { from, to } as never)) : {}
  const reporter = createReporter(json ? { json } : {})
  const startedAt = Date.now()
  const onProgress = (sent: number, size: number) =>
    reporter.step({ file: output, share: (0.5 * sent) / (size || 1), doing: 'sending' })
  reporter.start(1)
  const result = await lathe.merge(
    files.map(({ path }) => path),
    to as never,
    options as never,
    { signal, onProgress },
  )
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
