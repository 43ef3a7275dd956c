import { type FieldError, filesExpireAt, type TaskStatus } from '@lathe/domain'
import { secretOptions } from '@lathe/engines'
import {
  addressFields,
  asImport,
  kindOf,
  type Operation,
  type Payload,
  rolesOf,
  secretFields,
  splitInputs,
} from '@lathe/operations'
import { runAgainJobBody } from '../bodies/run-again-bodies.ts'
import { type Body, isBody } from './check-fields.ts'
import { join, shorten } from './path.ts'
import { readBody } from './read-body.ts'
import { refuse } from './refuse.ts'
import { mask } from './to-payload.ts'

/** What is known about a task that runs again, or whose files are needed for it. */
export interface EarlierTask {
  readonly id: string
  readonly name: string
  readonly operation: Operation
  readonly status: TaskStatus
  readonly payload: Payload
  readonly dependsOn: readonly string[]
  readonly createdAt: Date
  readonly files: readonly { readonly deletedAt: Date | null }[]
}

/** A job that runs again, and the tasks outside of it that it took files from. */
export interface EarlierJob {
  readonly tag: string | null
  readonly webhookUrl: string | null
  readonly tasks: readonly EarlierTask[]
  readonly others: readonly EarlierTask[]
}

/**
 * The body of a new job that repeats an earlier one with the caller's changes. Imports whose files still exist are not
 * repeated: the new tasks take their files. Throws a Problem that names every task that cannot run again.
 */
export function toJobAgain(job: EarlierJob, sent: unknown, now: Date): Body {
  const { tag, webhook_url: url, tasks: changes = {} } = readBody(runAgainJobBody, sent ?? {})
  const names = new Set(job.tasks.map(({ name }) => name))
  refuse(
    Object.keys(changes)
      .filter((name) => !names.has(name))
      .map((name) => ({ path: join('tasks', name), code: 'not_found', msg: 'is no task of this job.' })),
  )
  const isKept = (task: EarlierTask) =>
    kindOf(task.operation) === 'import' && !Object.hasOwn(changes, task.name) && hasFiles(task, now)
  const again = job.tasks.filter((task) => !isKept(task))
  if (again.length === 0) {
    refuse([{ path: 'jobId', msg: 'has only imports whose files are still there. There is nothing to run again.' }])
  }
  const siblings = new Map(again.map(({ id, name }) => [id, name]))
  const sources = new Map([...job.tasks, ...job.others].map((task) => [task.id, task]))
  refuse(
    again.flatMap((task) => {
      const path = join('tasks', task.name)
      const outside = task.dependsOn.filter((id) => !siblings.has(id))
      return [...checkTask(task, changes[task.name], path), ...checkSources(outside, sources, path, now)]
    }),
  )
  const tasks = again.map((task) => {
    const dependsOn = task.dependsOn.map((id) => siblings.get(id) ?? id)
    return [task.name, { operation: task.operation, ...toBodyAgain(task, dependsOn, changes[task.name]) }] as const
  })
  const [tagAgain, urlAgain] = [tag ?? job.tag, url ?? job.webhookUrl]
  return {
    ...(tagAgain !== null && { tag: tagAgain }),
    ...(urlAgain !== null && { webhook_url: urlAgain }),
    tasks: Object.fromEntries(tasks),
  }
}

/** The body of a new task that repeats an earlier one with the caller's changes. */
export function toTaskAgain(task: EarlierTask, others: readonly EarlierTask[], sent: unknown, now: Date): Body {
  const changes = sent ?? {}
  const sources = new Map(others.map((other) => [other.id, other]))
  refuse([...checkTask(task, changes, ''), ...checkSources(task.dependsOn, sources, '', now)])
  return toBodyAgain(task, task.dependsOn, changes as Body)
}

function toBodyAgain({ operation, payload }: EarlierTask, dependsOn: readonly string[], changes: Body = {}): Body {
  const { inputs, roles } = splitInputs(operation, payload, dependsOn)
  return { ...payload, ...roles, ...(kindOf(operation) !== 'import' && { input: inputs }), ...changes }
}

/** Whether the files of a task can still be used. */
function hasFiles({ status, files, createdAt }: EarlierTask, now: Date): boolean {
  return status === 'completed' && files.some(({ deletedAt }) => deletedAt === null) && filesExpireAt(createdAt) > now
}

function checkTask({ operation, status, payload }: EarlierTask, changes: unknown, path: string): FieldError[] {
  const at = path || 'body'
  if (changes !== undefined && !isBody(changes)) return [{ path: at, msg: 'must be an object: fields to change.' }]
  const fixed = ['input', ...Object.keys(rolesOf(operation)), 'operation'].filter(
    (name) => changes && Object.hasOwn(changes, name),
  )
  if (fixed.length > 0) {
    return fixed.map((name) => ({ path: join(path, name), code: 'conflict', msg: 'cannot be changed in a run again.' }))
  }
  if (status === 'deleted') return [{ path: at, code: 'not_found', msg: 'was deleted, and so cannot run again.' }]
  const { waitsForUpload, content } = asImport(operation) ?? {}
  if (waitsForUpload || (content && !changes?.[content.field])) {
    return [{ path: at, code: 'not_found', msg: 'has no file any more. Import the file again and create a new task.' }]
  }
  return hiddenFields({ ...payload, ...changes }).map((name) => ({
    path: join(path, name),
    code: 'required' as const,
    msg: 'is a secret, which is not kept after the end of a task. Give it again.',
  }))
}

/** Fields whose value is masked. */
function hiddenFields(body: Body): string[] {
  const options = isBody(body.options) ? body.options : {}
  const isHidden = ([name, value]: [string, unknown]) =>
    (secretFields.has(name) && value === mask) ||
    (addressFields.has(name) && typeof value === 'string' && URL.parse(value)?.password === mask)
  return [
    ...Object.entries(body).flatMap((field) => (isHidden(field) ? [field[0]] : [])),
    ...secretOptions.filter((name) => options[name] === mask).map((name) => `options.${name}`),
  ]
}

const openStatuses: ReadonlySet<TaskStatus> = new Set(['created', 'processing'])

function checkSources(
  ids: readonly string[],
  sources: ReadonlyMap<string, EarlierTask>,
  path: string,
  now: Date,
): FieldError[] {
  return [...new Set(ids)].flatMap((id) => {
    const source = sources.get(id)
    if (source && (openStatuses.has(source.status) || hasFiles(source, now))) return []
    const name = source && source.name !== source.operation ? ` (${shorten(source.name)})` : ''
    const msg = `takes files of task ${id}${name}, which are gone. Files are kept for 4 hours. Import them again and create a new task.`
    return [{ path: join(path, 'input'), code: 'not_found' as const, msg }]
  })
}
