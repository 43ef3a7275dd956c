import { type Static, Type } from 'typebox'
import { ObjectIdSchema } from './common.ts'
import { JobView } from './job-view.ts'
import { TaskFileView, TaskView } from './task-view.ts'

/** The position of a page in the list. */
export const pageFields = {
  totalDocs: Type.Integer({ minimum: 0, description: 'All that match. Above 10,000 it may be 5 seconds old.' }),
  limit: Type.Integer({ minimum: 1 }),
  totalPages: Type.Integer({ minimum: 1 }),
  page: Type.Integer({ minimum: 1 }),
  pagingCounter: Type.Integer({ minimum: 1, description: 'Number of the first document of this page.' }),
  hasPrevPage: Type.Boolean(),
  hasNextPage: Type.Boolean(),
  prevPage: Type.Union([Type.Integer(), Type.Null()]),
  nextPage: Type.Union([Type.Integer(), Type.Null()]),
  prevCursor: Type.Union([ObjectIdSchema, Type.Null()], {
    description: 'Give it as `before` to read the page before this one, whatever was created meanwhile.',
  }),
  nextCursor: Type.Union([ObjectIdSchema, Type.Null()], {
    description: 'Give it as `after` to read the page after this one, whatever was created meanwhile.',
  }),
}

/** A page of tasks, newest first. */
export const TaskPageView = Type.Object(
  { docs: Type.Array(TaskView), ...pageFields },
  { additionalProperties: false, title: 'TaskPage' },
)

/** A page of jobs, newest first. */
export const JobPageView = Type.Object(
  { docs: Type.Array(JobView), ...pageFields },
  { additionalProperties: false, title: 'JobPage' },
)

/** A page of the files of a task, in their order. */
export const TaskFilePageView = Type.Object(
  {
    docs: Type.Array(TaskFileView),
    totalDocs: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
    hasNextPage: Type.Boolean(),
    nextPage: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  },
  { additionalProperties: false, title: 'TaskFilePage' },
)

export type TaskFilePage = Static<typeof TaskFilePageView>

const envelope = Type.Object(pageFields)

/** A page of anything. */
export type Page<T> = Static<typeof envelope> & { docs: T[] }
