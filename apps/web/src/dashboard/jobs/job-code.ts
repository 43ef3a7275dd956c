import type { Job, Task } from '@lathe/contract'

/** What operations of engines take beside tasks. */
const plainFields: ReadonlySet<string> = new Set(['input_format', 'output_format', 'filename', 'options'])

/** The request that would make a job like this one. What is masked or was sent along is not known any more. */
export function toRequest({ tag, tasks = [] }: Job): Readonly<Record<string, unknown>> {
  const names = new Map(tasks.map(({ id, name }) => [id, name]))
  const body = ({ operation, dependsOn, payload }: Task) => {
    // The tasks of other fields, such as a logo, are listed after those of `input`.
    const others = operation.includes('/') ? [] : Object.keys(payload).filter((name) => !plainFields.has(name))
    const inputs = dependsOn.slice(0, dependsOn.length - others.length).map((id) => names.get(id) ?? id)
    const input = inputs.length === 0 ? {} : { input: inputs.length === 1 ? inputs[0] : inputs }
    return { operation, ...input, ...payload }
  }
  return { ...(tag !== null && { tag }), tasks: Object.fromEntries(tasks.map((task) => [task.name, body(task)])) }
}

/** Whether the code needs something filled in: secrets are shown as `***`, and content is not kept in a record. */
export function hasGaps(job: Job): boolean {
  return /"\*\*\*"|:\*\*\*@|"file":""/.test(JSON.stringify(toRequest(job)))
}

/** A command for a shell. */
export function toCurl(job: Job, origin: string): string {
  // Within single quotes a shell reads everything as it is, but a single quote.
  const body = JSON.stringify(toRequest(job), null, 2).replaceAll("'", `'\\''`)
  return [
    `curl ${origin}/v1/process/jobs \\`,
    '  -H "Authorization: Bearer $LATHE_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join('\n')
}

/** A program for the SDK. */
export function toTypeScript(job: Job, origin: string): string {
  const uploads = (job.tasks ?? []).filter(({ operation }) => operation === 'import/upload')
  return [
    "import { Lathe } from '@lathe/sdk'",
    '',
    `const lathe = new Lathe({ baseUrl: ${toLiteral(origin)}, key: process.env.LATHE_KEY })`,
    `const job = await lathe.jobs.create(${toLiteral(toRequest(job))})`,
    ...uploads.map(({ name }) => `await job.upload(${toLiteral(name)}, 'path/to/file')`),
    'await job.done()',
    'for (const file of job.files()) await file.save()',
  ].join('\n')
}

/** A value as TypeScript has it: like JSON, with bare names and single quotes. */
function toLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return toText(value)
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
