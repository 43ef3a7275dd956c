import { invalidField } from '@lathe/domain'
import type { Operation } from '@lathe/operations'
import { isBody } from './check-fields.ts'
import { checkShape } from './check-shape.ts'
import type { ParsedTask, TaskPlace } from './parsed.ts'
import { readTask } from './read-task.ts'
import { refuse } from './refuse.ts'

/** Reads one task definition, or throws a Problem that names every faulty field. A missing body counts as `{}`. */
export function parseTask(operation: Operation, body: unknown = {}, place: TaskPlace = standalone): ParsedTask {
  checkShape(body)
  if (!isBody(body)) throw invalidField(place.path || 'body', 'must be a JSON object.')
  const { task, errors } = readTask(operation, body, place)
  refuse(errors)
  return task
}

const standalone: TaskPlace = { inJob: false, path: '' }
