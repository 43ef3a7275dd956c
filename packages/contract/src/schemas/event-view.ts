import { eventTypes } from '@lathe/domain'
import { type Static, Type } from 'typebox'
import { ObjectIdSchema, Timestamp } from './common.ts'
import { JobView } from './job-view.ts'
import { TaskView } from './task-view.ts'

const closed = { additionalProperties: false } as const

/** An event as every listener is told it. */
export const EventView = Type.Object(
  {
    id: ObjectIdSchema,
    type: Type.Enum(eventTypes),
    createdAt: Timestamp,
    seq: Type.Integer({
      minimum: 0,
      description:
        'Rises by one with every event of a job, or of a task outside any job. `task.progress` is not kept and has no number of its own: it carries that of the last event told before it.',
    }),
    data: Type.Union([Type.Object({ job: JobView }, closed), Type.Object({ task: TaskView }, closed)], {
      description:
        'The job or task as it stands when the event is told. It is never older than the event, and may be further on: `type` says what happened, `data` what is so now.',
    }),
  },
  { ...closed, title: 'Event' },
)

export type Event = Static<typeof EventView>
