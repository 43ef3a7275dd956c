import { Type } from 'typebox'
import { runAgainTaskBody } from '../bodies/run-again-bodies.ts'
import { taskFilesQuery, taskQuery, tasksQuery } from '../query/queries.ts'
import { ObjectIdParameter } from '../schemas/common.ts'
import { TaskFilePageView, TaskPageView } from '../schemas/page-view.ts'
import { TaskView } from '../schemas/task-view.ts'
import { errorsFor, type Route } from './route.ts'

const read = { tags: ['tasks'], scope: 'task.read' } as const
const write = { tags: ['tasks'], scope: 'task.write' } as const
const params = Type.Object({ taskId: ObjectIdParameter })

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
    query: tasksQuery.schema,
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
    query: taskQuery.schema,
    waits: true,
    takesJobTokens: true,
    responses: { 200: { description: 'The task.', schema: TaskView }, ...errorsFor({ ...read, single: true }) },
  },
  listTaskFiles: {
    ...read,
    method: 'GET',
    path: '/v1/process/tasks/{taskId}/files',
    operationId: 'listTaskFiles',
    summary: 'List the files of a task',
    description:
      'All files of a task, in the order of `result.files`, which shows only the first of many. Of a deleted task, the receipts.',
    params,
    query: taskFilesQuery.schema,
    takesJobTokens: true,
    responses: {
      200: { description: 'A page of files.', schema: TaskFilePageView },
      ...errorsFor({ ...read, single: true }),
    },
  },
  deleteTask: {
    ...write,
    method: 'DELETE',
    path: '/v1/process/tasks/{taskId}',
    operationId: 'deleteTask',
    summary: 'Delete a task',
    description: 'Deletes the task and its files immediately. Tasks that depend on it fail, and so does its job.',
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
      'Cancels a task that is created or processing. Tasks that depend on it fail. Canceling a canceled task has no effect; a completed or failed task is refused.',
    params,
    responses: {
      200: { description: 'The canceled task.', schema: TaskView },
      ...errorsFor({ ...write, single: true, idempotent: true }),
    },
  },
} as const satisfies Record<string, Route>
