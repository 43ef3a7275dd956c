import { Type } from 'typebox'
import { ObjectIdParameter } from '../schemas/common.ts'
import { EventView } from '../schemas/event-view.ts'
import { errorsFor, type Route } from './route.ts'

const read = { method: 'GET', tags: ['events'], scope: 'task.read' } as const

const stream = {
  query: Type.Object({
    after: Type.Optional(
      Type.Integer({ minimum: 0, default: 0, description: 'Begin after the event with this `seq`.' }),
    ),
  }),
  resumes: true,
  takesJobTokens: true,
  responses: {
    200: {
      description:
        'Server-sent events. Each has the `seq` as its `id` (none for `task.progress`), the type as its `event`, and this object as its `data`.',
      schema: EventView,
      mediaType: 'text/event-stream',
    },
    204: { description: 'All has ended and everything was told: there is nothing to come back for.' },
    ...errorsFor({ ...read, single: true, anyAccept: true }),
  },
} as const

const text =
  'Tells what happened since the beginning, or since `Last-Event-ID`, then what happens. A comment comes every 15 seconds. The stream ends by itself when nothing is to be expected any more.'

/** Events as they happen, over plain HTTP. */
export const eventRoutes = {
  accountEvents: {
    ...read,
    path: '/v1/process/events',
    operationId: 'accountEvents',
    summary: 'Follow an account',
    description:
      'Tells all events of all jobs and tasks of the account, from now on, or from the moment in `Last-Event-ID` or `since`. Those of one job come in order. A comment comes every 15 seconds. The stream does not end by itself.',
    query: Type.Object({
      since: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Begin at this moment of the last 24 hours. Up to a minute before it is told as well.',
        }),
      ),
    }),
    resumes: true,
    responses: {
      200: {
        description:
          'Server-sent events. Each has the type as its `event` and this object as its `data`. The `id` is a moment up to which everything was told: a reader that comes back with it misses nothing, and may be told again what came after it and up to a minute before it.',
        schema: EventView,
        mediaType: 'text/event-stream',
      },
      ...errorsFor({ ...read, anyAccept: true }),
    },
  },
  jobEvents: {
    ...read,
    ...stream,
    path: '/v1/process/jobs/{jobId}/events',
    operationId: 'jobEvents',
    summary: 'Follow a job',
    description: `${text} That is when the job and all its tasks have ended.`,
    params: Type.Object({ jobId: ObjectIdParameter }),
  },
  taskEvents: {
    ...read,
    ...stream,
    path: '/v1/process/tasks/{taskId}/events',
    operationId: 'taskEvents',
    summary: 'Follow a task',
    description: `${text} That is when the task has ended. A task of a job tells its own events, numbered as those of its job.`,
    params: Type.Object({ taskId: ObjectIdParameter }),
  },
} as const satisfies Record<string, Route>
