import { type Lathe, LatheError } from '@lathe/sdk'
import { exists, saveAs } from '../batch/place.ts'
import { createReporter, shown } from '../batch/reporter.ts'
import { exitCodes, UsageError } from '../exit-codes.ts'
import { captureFields } from '../generated/option-flags.ts'
import { asFlag, type GivenOptions } from '../option-flags.ts'
import { toBoolean } from '../option-values.ts'

export interface CaptureFlags {
  readonly output: string
  readonly force?: boolean
  readonly json?: boolean
}

interface Capturing {
  readonly given: GivenOptions
  readonly flags: CaptureFlags
  readonly signal: AbortSignal
}

/** Converts a web page to a file. */
export async function capture(
  lathe: Lathe,
  url: string,
  { given, flags: { output, force, json }, signal }: Capturing,
): Promise<number> {
  const fields = toCaptureFields(given, output)
  if (!force && (await exists(output))) throw new UsageError(`${output} exists. Use --force to replace it.`)
  const reporter = createReporter(json ? { json } : {})
  const startedAt = Date.now()
  reporter.start(1)
  // The service checks the fields, and its errors name the allowed values.
  const task = await lathe.tasks.create('capture', { url, ...fields }, { signal })
  try {
    await task.done({ signal })
  } catch (error) {
    if (signal.aborted) await task.cancel().catch(() => undefined)
    throw error
  }
  const [result] = task.files()
  if (!result) throw new LatheError('The service gave no result.')
  await saveAs(result, output, signal)
  for (const warning of task.now.result.warnings ?? []) process.stderr.write(`${shown(warning)}\n`)
  const times = { bytes: result.size, ms: Date.now() - startedAt }
  reporter.ended({ status: 'done', file: url, outputs: [output], ...times })
  reporter.finish({ done: 1, skipped: 0, planned: 0, failed: 0 })
  return exitCodes.ok
}

/** The fields of a capture from flags; without a flag, the name of the result sets the format. */
export function toCaptureFields(given: GivenOptions, output: string): Readonly<Record<string, unknown>> {
  const ext = /\.([a-z0-9]{1,8})$/i.exec(output)?.[1]?.toLowerCase()
  const named = ext === 'jpeg' ? 'jpg' : ext === 'mht' ? 'mhtml' : ext
  const format = given.get('output_format') ?? named
  if (format === undefined) throw new UsageError('The name of the result says its format: --output page.pdf')
  const values = [...given].map(([name, text]) => [name, toValue(name, text)] as const)
  return { ...Object.fromEntries(values), output_format: format }
}

function toValue(name: string, text: string): string | number | boolean {
  const flag = asFlag(name)
  const type = captureFields[name]
  if (type === undefined) throw new UsageError(`${flag} does not apply to capture. See: lathe capture --help`)
  if (type === 'boolean') return toBoolean(flag, text)
  if (type === 'string') return text
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new UsageError(`${flag} is a number, not ${text}.`)
  return value
}
