import { type JobErrorCode, jobErrorCodes, jobStatuses } from '@lathe/domain'
import { type Static, Type } from 'typebox'
import { NullableTimestamp, ObjectIdSchema, Timestamp } from './common.ts'

/** Why a job failed; empty otherwise. */
export const JobResultView = Type.Object(
  {
    errorCode: Type.Optional(Type.Enum(Object.values(jobErrorCodes) as JobErrorCode[])),
    msg: Type.Optional(Type.String()),
  },
  { additionalProperties: false, title: 'JobResult' },
)

/** The fields a job has with or without its tasks. */
export const jobFields = {
  id: ObjectIdSchema,
  tag: Type.Union([Type.String(), Type.Null()]),
  status: Type.Enum(jobStatuses),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  startedAt: NullableTimestamp,
  endedAt: NullableTimestamp,
  expiresAt: Type.String({ format: 'date-time', description: 'When the record is removed: 24 h after creation.' }),
  result: JobResultView,
}

/** A job without its tasks: what `include=job` adds to a task. */
export const JobSummaryView = Type.Object(jobFields, { additionalProperties: false, title: 'JobSummary' })

export type JobSummary = Static<typeof JobSummaryView>
