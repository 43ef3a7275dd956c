import { type Static, Type } from 'typebox'
import { jobFields } from './job-summary-view.ts'
import { TaskView } from './task-view.ts'

/** A job; `tasks` is absent only in lists that do not include them. */
export const JobView = Type.Object(
  { ...jobFields, tasks: Type.Optional(Type.Array(TaskView, { description: 'In the order of the request.' })) },
  { additionalProperties: false, title: 'Job' },
)

export type Job = Static<typeof JobView>
