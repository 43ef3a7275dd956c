import type { Operation } from '@lathe/domain'
import type { ParsedTask, TaskPlace } from './parsed.ts'

/** Reads one task definition, or throws a Problem that names every faulty field. */
export function parseTask(operation: Operation, body: unknown, place: TaskPlace): ParsedTask {
  throw new Error(`not written yet: ${operation} ${body} ${place}`)
}
