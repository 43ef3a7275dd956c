import { eventTypes } from '@lathe/domain'
import { type Static, Type } from 'typebox'
import { ObjectIdSchema, Timestamp } from './common.ts'
import { JobView } from './job-view.ts'
import { TaskView } from './task-view.ts'

const closed = { additionalProperties: false } as const

/** An event as all clients receive it. */
export const EventView = Type.Object(
  {
    id: ObjectIdSchema,
    type: Type.Enum(eventTypes),
    createdAt: Timestamp,
    seq: Type.Integer({
      minimum: 0,
      description:
        'Increases by one with every event of a job, or of a task without a job. `task.progress` is not stored and has the number of the last event before it.',
    }),
    data: Type.Union([Type.Object({ job: JobView }, closed), Type.Object({ task: TaskView }, closed)], {
      description:
        'The job or task when the event is sent. It is never older than the event, but may be newer: `type` is what happened, `data` is the current state.',
    }),
  },
  { ...closed, title: 'Event' },
)

export type Event = Static<typeof EventView>
