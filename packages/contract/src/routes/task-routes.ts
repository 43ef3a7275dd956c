import { taskStatuses } from '@lathe/domain'
import { Type } from 'typebox'
import { runAgainTaskBody } from '../bodies/run-again-bodies.ts'
import { limits } from '../limits.ts'
import { idPattern, ObjectIdParameter } from '../schemas/common.ts'
import { TaskPageView } from '../schemas/page-view.ts'
import { TaskView } from '../schemas/task-view.ts'
import { errorsFor, type Route } from './route.ts'

const { Optional } = Type
const read = { tags: ['tasks'], scope: 'task.read' } as const
const write = { tags: ['tasks'], scope: 'task.write' } as const
const params = Type.Object({ taskId: ObjectIdParameter })

/** A moment by which a list is narrowed. */
export const timeQuery = (description: string) =>
  Optional(Type.String({ description, examples: ['2026-01-31T12:00:00Z'] }))

/** The page size, and the page by its number or by a cursor, that lists take. */
export const pagingQuery = {
  per_page: Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.perPageMax,
      default: limits.perPageDefault,
      description: 'Documents per page.',
    }),
  ),
  page: Optional(Type.Integer({ minimum: 1, default: 1, description: 'Page number.' })),
  after: Optional(
    Type.String({
      pattern: idPattern,
      description: 'The page that follows this id: `nextCursor` of an answer. Not together with `page`.',
    }),
  ),
  before: Optional(
    Type.String({
      pattern: idPattern,
      description: 'The page that ends before this id: `prevCursor` of an answer. Not together with `page`.',
    }),
  ),
}

/** Reading, canceling and deleting tasks. */
export const taskRoutes = {
  listTasks: {
    ...read,
    method: 'GET',
    path: '/v1/process/tasks',
    operationId: 'listTasks',
    summary: 'List tasks',
    description:
      'The caller’s tasks of the last 24 hours, newest first. `status=deleted` shows the receipts of deletion.',
    query: Type.Object({
      status: Optional(Type.Enum(taskStatuses)),
      operation: Optional(Type.String({ examples: ['import/url'] })),
      job: Optional(ObjectIdParameter),
      ...pagingQuery,
    }),
    responses: { 200: { description: 'A page of tasks.', schema: TaskPageView }, ...errorsFor(read) },
  },
  showTask: {
    ...read,
    method: 'GET',
    path: '/v1/process/tasks/{taskId}',
    operationId: 'showTask',
    summary: 'Show a task',
    description: '`include=job` adds `jobDetails`; the payload is always there.',
    params,
    query: Type.Object({
      include: Optional(Type.String({ description: 'Comma-separated: `payload`, `job`.', examples: ['payload,job'] })),
    }),
    waits: true,
    takesJobTokens: true,
    responses: { 200: { description: 'The task.', schema: TaskView }, ...errorsFor({ ...read, single: true }) },
  },
  deleteTask: {
    ...write,
    method: 'DELETE',
    path: '/v1/process/tasks/{taskId}',
    operationId: 'deleteTask',
    summary: 'Delete a task',
    description: 'Deletes the task and its files at once. Tasks that wait for it fail, and so does its job.',
    params,
    responses: { 200: { description: 'Deleted; the body is empty.' }, ...errorsFor({ ...write, single: true }) },
  },
  runTaskAgain: {
    ...write,
    method: 'POST',
    path: '/v1/process/tasks/{taskId}/run-again',
    operationId: 'runTaskAgain',
    summary: 'Run a task again',
    description:
      'Creates a new task outside any job that does the same as this one, on the same files. Refused with 400 if those are gone, or if a secret is needed, which is not kept.',
    params,
    body: runAgainTaskBody,
    bodyOptional: true,
    waits: true,
    responses: {
      201: { description: 'The new task.', schema: TaskView },
      ...errorsFor({ ...write, single: true, idempotent: true }),
    },
  },
  cancelTask: {
    ...write,
    method: 'POST',
    path: '/v1/process/tasks/{taskId}/cancel',
    operationId: 'cancelTask',
    summary: 'Cancel a task',
    description:
      'Stops a task that is created or processing; tasks that wait for it fail. A canceled task is answered as it is; a completed or failed one is refused.',
    params,
    responses: {
      200: { description: 'The canceled task.', schema: TaskView },
      ...errorsFor({ ...write, single: true, idempotent: true }),
    },
  },
} as const satisfies Record<string, Route>
