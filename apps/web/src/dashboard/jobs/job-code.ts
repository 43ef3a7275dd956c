import type { Job, Task } from '@lathe/contract'
import { uploads } from '../../generated/operations.ts'

/** The fields of engine operations that are not tasks. */
const plainFields: ReadonlySet<string> = new Set(['input_format', 'output_format', 'filename', 'options'])

/** The request that would create the same job. Masked values and content sent in the request are no longer known. */
export function toRequest({ tag, tasks = [] }: Job): Readonly<Record<string, unknown>> {
  const names = new Map(tasks.map(({ id, name }) => [id, name]))
  const body = ({ operation, dependsOn, payload }: Task) => {
    // Tasks of other fields, such as a logo, come after those of `input`.
    const others = operation.includes('/') ? [] : Object.keys(payload).filter((name) => !plainFields.has(name))
    const inputs = dependsOn.slice(0, dependsOn.length - others.length).map((id) => names.get(id) ?? id)
    const input = inputs.length === 0 ? {} : { input: inputs.length === 1 ? inputs[0] : inputs }
    return { operation, ...input, ...payload }
  }
  return { ...(tag !== null && { tag }), tasks: Object.fromEntries(tasks.map((task) => [task.name, body(task)])) }
}

/** Whether the code has gaps to fill in: secrets are shown as `***`, and content is not stored. */
export function hasGaps(job: Job): boolean {
  return /"\*\*\*"|:\*\*\*@|"file":""/.test(JSON.stringify(toRequest(job)))
}

/** The job as a shell command. */
export function toCurl(job: Job, origin: string): string {
  // Within single quotes, a shell interprets nothing but a single quote.
  const body = JSON.stringify(toRequest(job), null, 2).replaceAll("'", `'\\''`)
  return [
    `curl ${origin}/v1/process/jobs \\`,
    '  -H "Authorization: Bearer $LATHE_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join('\n')
}

/** The job as a program that uses the SDK. */
export function toTypeScript(job: Job, origin: string): string {
  const uploaded = (job.tasks ?? []).filter(({ operation }) => uploads.includes(operation))
  return [
    "import { Lathe } from '@lathe/sdk'",
    '',
    `const lathe = new Lathe({ baseUrl: ${toLiteral(origin)}, key: process.env.LATHE_KEY })`,
    `const job = await lathe.jobs.create(${toLiteral(toRequest(job))})`,
    ...uploaded.map(({ name }) => `await job.upload(${toLiteral(name)}, 'path/to/file')`),
    'await job.done()',
    'for (const file of job.files()) await file.save()',
  ].join('\n')
}

const idPattern = /^[0-9a-f]{24}$/

/** A value as a TypeScript literal: like JSON, with bare names and single quotes. */
function toLiteral(value: unknown, indent = ''): string {
  // The SDK takes a literal for the name of a task of the job.
  if (typeof value === 'string') return idPattern.test(value) ? `${toText(value)} as string` : toText(value)
  if (Array.isArray(value)) return `[${value.map((one) => toLiteral(one, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const entries = Object.entries(value).map(([name, one]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : toText(name)
    return `${inner}${key}: ${toLiteral(one, inner)},\n`
  })
  return entries.length === 0 ? '{}' : `{\n${entries.join('')}${indent}}`
}

function toText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
