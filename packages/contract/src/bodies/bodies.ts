import { type Operation, operations } from '@lathe/domain'
import { type TObject, Type } from 'typebox'
import { limits } from '../limits.ts'
import { exportBodies } from './export-bodies.ts'
import { importBodies } from './import-bodies.ts'
import { processBodies } from './process-bodies.ts'

/** What each operation's own endpoint takes. */
export const taskBodies: Readonly<Record<Operation, TObject>> = { ...importBodies, ...processBodies, ...exportBodies }

/** Fields whose values are shown as `***`. */
export const secretFields: ReadonlySet<string> = new Set([
  'secret_access_key',
  'private_key',
  'storage_access_key',
  'sas_token',
  'password',
])

/** Fields that hold an http or https address; a password in it is shown as `***`. */
export const addressFields: ReadonlySet<string> = new Set(['url', 'endpoint'])

/** How a task may be named inside a job. */
export const taskNamePattern = `^[A-Za-z0-9_-]{1,${limits.taskNameChars}}$`

/** A task definition inside a job: the endpoint's own parameters and the operation's name. */
export const jobTaskBodies: Readonly<Record<Operation, TObject>> = Object.fromEntries(
  operations.map((operation): [string, TObject] => [operation, withOperation(operation)]),
) as Record<Operation, TObject>

function withOperation(operation: Operation): TObject {
  const { properties } = taskBodies[operation]
  return Type.Object({ operation: Type.Literal(operation), ...properties }, { additionalProperties: false })
}

/** The body of a new job. */
export const jobBody = Type.Object(
  {
    tag: Type.Optional(Type.String({ maxLength: limits.tagChars, description: 'Any text; it has no effect.' })),
    tasks: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      minProperties: 1,
      maxProperties: limits.tasksPerJob,
      propertyNames: { pattern: taskNamePattern },
      additionalProperties: { oneOf: Object.values(jobTaskBodies) },
      description: 'Task definitions by name.',
    }),
  },
  { additionalProperties: false },
)
