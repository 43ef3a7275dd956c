import {
  didYouMean,
  type FormatList,
  type JobHandle,
  type Lathe,
  type OptionDescriptor,
  RequestError,
  type Task,
} from '@lathe/sdk'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { nearestOption, nearestValue } from './nearest-value.ts'
import type { Upload } from './uploads.ts'

// The call has already failed; the nearest format is not worth a long wait.
const lastAnswerMs = 5_000

/** Text for the model, and the same as data. */
export function say(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent }
}

/** The state of a job: its files as links if it has succeeded, what to do next if it has not ended. */
export function toJobResult({ now, id }: JobHandle, args: object = {}, upload?: Upload): CallToolResult {
  const tasks = now.tasks ?? []
  if (upload?.failure !== undefined)
    return fail(`The files of the job ${id} could not be uploaded. Start another one: ${upload.failure}`)
  const failed = tasks.find(({ status }) => status === 'failed' || status === 'canceled')
  if (failed) {
    const msg = failed.result.msg ?? `The task ${failed.name} is ${failed.status}.`
    return fail(`${msg}${nearestOption(msg, args)}`)
  }
  // A task that was deleted is not among them.
  if (now.status === 'failed') return fail(now.result.msg ?? `The job ${id} failed.`)
  if (now.status !== 'completed') {
    const isUploading = upload !== undefined && upload.share < 1
    const state = isUploading
      ? `${now.status}; ${Math.floor(upload.share * 100)} % of its files are uploaded`
      : now.status
    const text = `The job ${id} is ${state}. Call get_job with it in a while.`
    return say(text, { job: id, status: now.status, files: [] })
  }
  const files = filesOf(tasks)
  const warnings = tasks.flatMap(({ result }) => result.warnings ?? [])
  const links = files.map((file) => ({
    type: 'resource_link' as const,
    uri: file.url,
    name: file.name,
    size: file.size,
    description: `SHA-256 ${file.sha256}; expires ${file.expiresAt}`,
  }))
  const text = `${files.length === 1 ? 'One file' : `${files.length} files`}. ${warnings.join(' ')}`.trim()
  return { content: [{ type: 'text', text }, ...links], structuredContent: { job: id, status: now.status, files } }
}

function filesOf(tasks: readonly Task[]) {
  const used = new Set(tasks.flatMap(({ dependsOn }) => dependsOn))
  return tasks
    .filter(({ id }) => !used.has(id))
    .flatMap(({ result }) => result.files ?? [])
    .flatMap(({ url, filename = 'file', size, sha256, expiresAt = '' }) =>
      url === undefined ? [] : [{ name: filename, url, size, sha256, expiresAt }],
    )
}

export function fail(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** What is wrong with a request: each field, and the nearest allowed value if one is misspelled. */
export async function toFailure(lathe: Lathe, error: unknown, args: object): Promise<CallToolResult> {
  if (!(error instanceof RequestError)) return fail(error instanceof Error ? error.message : String(error))
  const faults = error.errors.map((fault) => `${fault.path}: ${fault.msg}${nearestValue(fault, args)}`)
  const near = error.errors.some(({ path }) => /format/.test(path)) ? await nearestOf(lathe, formatsIn(args)) : ''
  return fail([error.message, ...faults].join('\n') + near)
}

async function nearestOf(lathe: Lathe, given: readonly string[]): Promise<string> {
  const call = { signal: AbortSignal.timeout(lastAnswerMs) }
  const { formats } = await lathe.formats({}, call).catch((): FormatList => ({ formats: [] }))
  const known = formats.map(({ ext }) => ext)
  return given.map((one) => (known.includes(one) ? '' : didYouMean(one, known))).join('')
}

function formatsIn(args: object): readonly string[] {
  return Object.entries(args).flatMap(([name, value]) => (name === 'from' || name === 'to' ? [String(value)] : []))
}

/** An option in one line. */
export function describeOption(option: OptionDescriptor): string {
  const { name, type, data_type, enum_values = [], properties = {}, default_value, units, hint } = option
  const { min, max } = properties
  const range = min !== undefined && max !== undefined ? ` ${min}..${max}` : ''
  const values = type === 'enum' ? enum_values.map(({ value }) => value).join('|') : `${data_type}${range}`
  return `${name} (${values}${units ? ` ${units}` : ''}${default_value === '' ? '' : `, default ${default_value}`}): ${hint}`
}
