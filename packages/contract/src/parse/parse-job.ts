import { type FieldError, invalidField, isOperation } from '@lathe/domain'
import { availableOperations } from '../available-operations.ts'
import { taskNamePattern } from '../bodies/bodies.ts'
import { limits } from '../limits.ts'
import { type Body, isBody } from './check-fields.ts'
import { checkJobGraph } from './check-job-graph.ts'
import { checkShape } from './check-shape.ts'
import type { ParsedJob, ParsedTask } from './parsed.ts'
import { join, shorten } from './path.ts'
import { readTask, type TaskReading } from './read-task.ts'
import { mostShown, refuse } from './refuse.ts'

const namePattern = new RegExp(taskNamePattern)

/** Reads the body of a new job, or throws a Problem that names every faulty field. */
export function parseJob(body: unknown): ParsedJob {
  checkShape(body)
  if (!isBody(body)) throw invalidField('body', 'must be a JSON object with `tasks`.')
  refuse(checkJobFields(body))
  const definitions = Object.entries(body.tasks as Body)
  const siblings = new Set(definitions.map(([name]) => name))
  const readings = definitions.map(([name, definition]) => readDefinition(name, definition, siblings))
  refuse(readings.flatMap((reading) => reading.errors))
  const tasks = readings.flatMap(({ task }): ParsedTask[] => (task === undefined ? [] : [task]))
  // The whole is looked at once its parts are sound: a task that could not be read has no inputs to follow.
  refuse(checkJobGraph(new Map(tasks.map((task) => [task.name, task]))))
  return { tag: typeof body.tag === 'string' ? body.tag : null, tasks }
}

function checkJobFields(body: Body): FieldError[] {
  const errors = Object.keys(body)
    .filter((name) => name !== 'tag' && name !== 'tasks')
    .slice(0, mostShown)
    .map((name) => ({ path: shorten(name), msg: 'is not known here. Allowed: tag, tasks.' }))
  if (body.tag !== undefined && (typeof body.tag !== 'string' || Array.from(body.tag).length > limits.tagChars)) {
    errors.push({ path: 'tag', msg: `must be a string of at most ${limits.tagChars} characters.` })
  }
  return [...errors, ...checkTasks(body.tasks)]
}

function checkTasks(tasks: unknown): FieldError[] {
  if (!isBody(tasks)) return [{ path: 'tasks', msg: 'is required: an object of task definitions by name.' }]
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

type DefinitionReading = Pick<TaskReading, 'errors'> & Partial<TaskReading>

function readDefinition(name: string, definition: unknown, siblings: ReadonlySet<string>): DefinitionReading {
  const path = join('tasks', name)
  if (!isBody(definition)) return { errors: [{ path, msg: 'must be an object: a task definition.' }] }
  const { operation, ...body } = definition
  if (typeof operation !== 'string' || !isOperation(operation)) {
    const msg = `${operation === undefined ? 'is required' : 'is not known'}. Available: ${availableOperations.join(', ')}.`
    return { errors: [{ path: join(path, 'operation'), msg }] }
  }
  return readTask(operation, body, { inJob: true, path, name, siblings })
}
