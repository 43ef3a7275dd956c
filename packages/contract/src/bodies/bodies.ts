import { findOperation, kindOf, type Operation, operations, rolesOf } from '@lathe/operations'
import { type TObject, type TProperties, Type } from 'typebox'
import { availableOperations } from '../available-operations.ts'
import { limits } from '../limits.ts'
import { idPattern } from '../schemas/common.ts'

/** The body of each operation's endpoint. */
export const taskBodies = perOperation((operation) =>
  titled(findOperation(operation).body.properties, `${toTitle(operation)}Request`),
)

const preset = Type.Optional(
  Type.String({
    pattern: idPattern,
    description:
      'Id of a preset of this operation. Fields of the task take precedence, and so does each of its `options`.',
  }),
)

/** The documented body of each operation's endpoint: a preset is expanded before the body is checked. */
export const taskRequests = perOperation((operation) =>
  titled(withPreset(operation, findOperation(operation).body), `${toTitle(operation)}Request`),
)

/** Makes fields optional that a preset may provide. */
function withPreset(operation: Operation, { properties }: TObject): TProperties {
  if (kindOf(operation) !== 'process') return properties
  const eased = Object.entries(properties).map(([name, field]) => [
    name,
    name === 'input' || name in rolesOf(operation) ? field : Type.Optional(field),
  ])
  return { ...Object.fromEntries(eased), preset }
}

/** The pattern of task names inside a job. */
export const taskNamePattern = `^[A-Za-z0-9_-]{1,${limits.taskNameChars}}$`

/** A task definition inside a job: the parameters of the endpoint and the name of the operation. */
export const jobTaskBodies = perOperation((operation) =>
  titled(
    { operation: Type.Literal(operation), ...withPreset(operation, findOperation(operation).body) },
    `${toTitle(operation)}Task`,
  ),
)

function perOperation(make: (operation: Operation) => TObject): Readonly<Record<Operation, TObject>> {
  const entries = operations.map((operation): [string, TObject] => [operation, make(operation)])
  return Object.fromEntries(entries) as Record<Operation, TObject>
}

function titled(properties: TProperties, title: string): TObject {
  return Type.Object(properties, { additionalProperties: false, title })
}

/** `import/objstore_a` becomes `ImportObjstoreA`. */
function toTitle(operation: Operation): string {
  const words = operation.split(/[/_]/)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The body of a new job. */
export const jobBody = Type.Object(
  {
    tag: Type.Optional(
      Type.Union([Type.String({ maxLength: limits.tagChars }), Type.Null()], {
        description: 'Any text, to find the job by; it has no other effect.',
      }),
    ),
    webhook_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.urlChars,
        description:
          'An https URL that the events of this job are posted to, signed with the secret of `/v1/webhooks/secret`.',
      }),
    ),
    tasks: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      minProperties: 1,
      maxProperties: limits.tasksPerJob,
      propertyNames: { pattern: taskNamePattern },
      additionalProperties: { oneOf: availableOperations.map((operation) => jobTaskBodies[operation]) },
      description: 'Task definitions by name.',
    }),
  },
  { additionalProperties: false, title: 'CreateJobRequest' },
)
