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
    204: { description: 'Everything has ended and all events were sent. Do not reconnect.' },
    ...errorsFor({ ...read, single: true, anyAccept: true }),
  },
} as const

const text =
  'Streams past events from the beginning, or since `Last-Event-ID`, then new ones. A comment is sent every 15 seconds. The stream ends when no more events are expected.'

/** Events as they happen, over plain HTTP. */
export const eventRoutes = {
  accountEvents: {
    ...read,
    path: '/v1/process/events',
    operationId: 'accountEvents',
    summary: 'Follow an account',
    description:
      'Streams all events of all jobs and tasks of the account, from now on or from `Last-Event-ID` or `since`. Events of one job are in order. A comment is sent every 15 seconds. The stream does not end.',
    query: Type.Object({
      since: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'Start at this time within the last 24 hours. Events of up to a minute before it may be included.',
        }),
      ),
    }),
    resumes: true,
    responses: {
      200: {
        description:
          'Server-sent events. Each has the type as its `event` and this object as its `data`. The `id` is a time up to which all events were sent. A client that reconnects with it misses nothing, and may receive events again, from up to a minute before it.',
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
    description: `${text} This is when the job and all its tasks have ended.`,
    params: Type.Object({ jobId: ObjectIdParameter }),
  },
  taskEvents: {
    ...read,
    ...stream,
    path: '/v1/process/tasks/{taskId}/events',
    operationId: 'taskEvents',
    summary: 'Follow a task',
    description: `${text} This is when the task has ended. For a task of a job, the stream has the events of this task only, with the numbers of the job.`,
    params: Type.Object({ taskId: ObjectIdParameter }),
  },
} as const satisfies Record<string, Route>
