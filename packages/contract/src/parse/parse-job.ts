import { type FieldError, invalidField } from '@lathe/domain'
import { isOperation, rolesOf } from '@lathe/operations'
import { availableOperations } from '../available-operations.ts'
import { jobBody, taskNamePattern } from '../bodies/bodies.ts'
import { limits } from '../limits.ts'
import { type Body, isBody, isValid } from './check-fields.ts'
import { checkJobGraph } from './check-job-graph.ts'
import { checkShape } from './check-shape.ts'
import { describeField } from './describe-field.ts'
import { dropEmpty } from './drop-empty.ts'
import { type CheckAddress, checkUrl } from './parse-webhook.ts'
import type { ParsedJob, ParsedTask } from './parsed.ts'
import { join, shorten } from './path.ts'
import { readTask, type TaskReading } from './read-task.ts'
import { mostShown, refuse } from './refuse.ts'

const namePattern = new RegExp(taskNamePattern)

/** The rules for jobs that depend on the configuration of the service. */
export interface JobRules {
  readonly checkAddress?: CheckAddress
  /** Maximum number of entries of `input` in all tasks together. */
  readonly edgesPerJob?: number
}

/** Reads the body of a new job, or throws a Problem that names every faulty field. */
export function parseJob(
  sent: unknown,
  { checkAddress = () => undefined, edgesPerJob = limits.inputsPerJob }: JobRules = {},
): ParsedJob {
  checkShape(sent)
  if (!isBody(sent)) throw invalidField('body', 'must be a JSON object with `tasks`.')
  const body = dropEmpty(jobBody, sent)
  refuse([...checkJobFields(body), ...checkWebhookUrl(body.webhook_url, checkAddress)])
  const definitions = Object.entries(body.tasks as Body)
  // Before any is read: a hundred tasks can name a hundred thousand inputs.
  refuse(checkEdges(definitions, edgesPerJob))
  const siblings = new Set(definitions.map(([name]) => name))
  const tasks = readDefinitions(definitions, siblings)
  // The graph is checked only when all tasks are valid: an invalid task has no inputs to follow.
  refuse(checkJobGraph(new Map(tasks.map((task) => [task.name, task]))))
  const { tag = null, webhook_url: webhookUrl = null } = body as { tag?: string; webhook_url?: string }
  return { tag, webhookUrl, tasks }
}

/** Counts characters as a user does. Only texts that may be too long are taken apart: this can be given megabytes. */
function isLongerThan(text: string, most: number): boolean {
  return text.length > 2 * most || Array.from(text).length > most
}

function checkJobFields(body: Body): FieldError[] {
  const errors: FieldError[] = Object.keys(body)
    .filter((name) => !Object.hasOwn(jobBody.properties, name))
    .slice(0, mostShown)
    .map((name) => ({ path: shorten(name), code: 'unknown', msg: 'is unknown. Allowed: tag, tasks, webhook_url.' }))
  if (body.tag !== undefined && (typeof body.tag !== 'string' || isLongerThan(body.tag, limits.tagChars))) {
    errors.push({ path: 'tag', msg: `must be a string of at most ${limits.tagChars} characters.` })
  }
  return [...errors, ...checkTasks(body.tasks)]
}

function checkWebhookUrl(url: unknown, checkAddress: CheckAddress): FieldError[] {
  if (url === undefined || isValid(jobBody.properties.webhook_url, url))
    return checkUrl('webhook_url', url, checkAddress)
  return [{ path: 'webhook_url', msg: `must be ${describeField(jobBody.properties.webhook_url)}` }]
}

function checkTasks(tasks: unknown): FieldError[] {
  if (!isBody(tasks))
    return [{ path: 'tasks', code: 'required', msg: 'is required: an object of task definitions by name.' }]
  const names = Object.keys(tasks)
  if (names.length < 1 || names.length > limits.tasksPerJob) {
    return [{ path: 'tasks', msg: `must hold 1 to ${limits.tasksPerJob} tasks; it holds ${names.length}.` }]
  }
  return names
    .filter((name) => !namePattern.test(name))
    .map((name) => ({
      path: join('tasks', name),
      msg: `is not a valid task name: 1 to ${limits.taskNameChars} letters, digits, dashes and underscores.`,
    }))
}

type Definitions = readonly (readonly [string, unknown])[]

/** Counts the inputs that the tasks name, as they were sent. */
function checkEdges(definitions: Definitions, most: number): FieldError[] {
  const inputs = definitions.reduce((sum, [, definition]) => sum + countInputs(definition), 0)
  if (inputs <= most) return []
  const msg = `name ${inputs} inputs together; at most ${most} are allowed in a job. Make several jobs.`
  return [{ path: 'tasks', msg }]
}

function countInputs(definition: unknown): number {
  if (!isBody(definition)) return 0
  const { operation, input } = definition
  const roles = typeof operation === 'string' && isOperation(operation) ? Object.keys(rolesOf(operation)) : []
  const main = Array.isArray(input) ? input.length : Number(typeof input === 'string')
  return main + roles.filter((role) => typeof definition[role] === 'string').length
}

/** Reads tasks until there are more errors than are shown: the rest of a hostile job is not worth the time. */
function readDefinitions(definitions: Definitions, siblings: ReadonlySet<string>): ParsedTask[] {
  const errors: FieldError[] = []
  const tasks: ParsedTask[] = []
  for (const [name, definition] of definitions) {
    const reading = readDefinition(name, definition, siblings)
    errors.push(...reading.errors)
    if (reading.task) tasks.push(reading.task)
    if (errors.length > mostShown) break
  }
  refuse(errors)
  return tasks
}

type DefinitionReading = Pick<TaskReading, 'errors'> & Partial<TaskReading>

function readDefinition(name: string, definition: unknown, siblings: ReadonlySet<string>): DefinitionReading {
  const path = join('tasks', name)
  if (!isBody(definition)) return { errors: [{ path, msg: 'must be an object: a task definition.' }] }
  const { operation, ...body } = definition
  if (typeof operation !== 'string' || !isOperation(operation)) {
    const isMissing = operation === undefined
    const msg = `${isMissing ? 'is required' : 'is unknown'}. Available: ${availableOperations.join(', ')}.`
    return { errors: [{ path: join(path, 'operation'), code: isMissing ? 'required' : 'unsupported', msg }] }
  }
  return readTask(operation, body, { inJob: true, path, name, siblings })
}
