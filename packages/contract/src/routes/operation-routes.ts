import { asImport, findOperation, isUpload, kindOf, type Operation, operations } from '@lathe/operations'
import { availableOperations, unavailableOperations } from '../available-operations.ts'
import { taskRequests } from '../bodies/bodies.ts'
import { limits } from '../limits.ts'
import { TaskView } from '../schemas/task-view.ts'
import { errorsFor, type Route } from './route.ts'

/** The names of the endpoints that create a task of one operation: `import/objstore_a` is `importObjstoreA`. */
export type OperationRouteName = Uncapitalize<InPascalCase<Operation>>

type InPascalCase<S extends string> = S extends `${infer Head}/${infer Tail}`
  ? `${Capitalize<Head>}${InPascalCase<Tail>}`
  : S extends `${infer Head}_${infer Tail}`
    ? `${Capitalize<Head>}${InPascalCase<Tail>}`
    : Capitalize<S>

/** An endpoint that creates a task of one operation. */
export type OperationRoute = Route & { readonly operation: Operation }

/** The endpoints that create one task each. */
export const operationRoutes = Object.fromEntries(
  operations.map((name) => {
    const operationId = name.replaceAll(/[/_](\w)/g, (_, first: string) => first.toUpperCase())
    return [operationId, operationRoute(operationId, name)]
  }),
) as Readonly<Record<OperationRouteName, OperationRoute>>

function operationRoute(operationId: string, operation: Operation): OperationRoute {
  const { summary, description } = findOperation(operation)
  const shared = { tags: [tagOf(operation)], scope: 'task.write' } as const
  return {
    ...shared,
    method: 'POST',
    path: `/v1/process/${operation}`,
    operationId,
    summary,
    description: `${description}${unavailableNote(operation)}`,
    operation,
    body: taskRequests[operation],
    ...(asImport(operation)?.content && { bodyBytes: limits.inlineBodyBytes }),
    bodyOptional: isUpload(operation),
    waits: true,
    responses: { ...created(operation), ...errorsFor({ ...shared, idempotent: true }) },
  }
}

function tagOf(operation: Operation): string {
  return { import: 'imports', process: 'processing', export: 'exports' }[kindOf(operation)]
}

function created(operation: Operation): Route['responses'] {
  return unavailableOperations.has(operation) ? {} : { 201: { description: 'The created task.', schema: TaskView } }
}

function unavailableNote(operation: Operation): string {
  if (!unavailableOperations.has(operation)) return ''
  const available = availableOperations.map((name) => `\`${name}\``).join(', ')
  return ` Not available on this server: a valid request is refused with 400. Available: ${available}.`
}
