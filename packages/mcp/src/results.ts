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

/** Text for the model, and the same as data. */
export function say(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent }
}

/** A job as it stands: its files as links if it has ended well, what to do next if it has not ended. */
export function toJobResult({ now, id }: JobHandle): CallToolResult {
  const tasks = now.tasks ?? []
  const failed = tasks.find(({ status }) => status === 'failed' || status === 'canceled')
  if (failed) return fail(failed.result.msg ?? `The task ${failed.name} is ${failed.status}.`)
  if (now.status !== 'completed') {
    const text = `The job ${id} is ${now.status}. Call get_job with it in a while.`
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

/** What was wrong with a request: each field, and the nearest format where one was meant. */
export async function toFailure(lathe: Lathe, error: unknown, formats: readonly string[]): Promise<CallToolResult> {
  if (!(error instanceof RequestError)) return fail(error instanceof Error ? error.message : String(error))
  const faults = error.errors.map(({ path, msg }) => `${path}: ${msg}`)
  const near = error.errors.some(({ path }) => /format|_format/.test(path)) ? await nearestOf(lathe, formats) : ''
  return fail([error.message, ...faults].join('\n') + near)
}

async function nearestOf(lathe: Lathe, given: readonly string[]): Promise<string> {
  const { formats } = await lathe.formats().catch((): FormatList => ({ formats: [] }))
  const known = formats.map(({ ext }) => ext)
  return given.map((one) => (known.includes(one) ? '' : didYouMean(one, known))).join('')
}

/** An option in one line. */
export function describeOption(option: OptionDescriptor): string {
  const { name, type, data_type, enum_values = [], properties = {}, default_value, units, hint } = option
  const { min, max } = properties
  const range = min !== undefined && max !== undefined ? ` ${min}..${max}` : ''
  const values = type === 'enum' ? enum_values.map(({ value }) => value).join('|') : `${data_type}${range}`
  return `${name} (${values}${units ? ` ${units}` : ''}${default_value === '' ? '' : `, default ${default_value}`}): ${hint}`
}
