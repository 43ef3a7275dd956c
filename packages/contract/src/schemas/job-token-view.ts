import { type Static, Type } from 'typebox'
import { NullableTimestamp, ObjectIdSchema, Timestamp } from './common.ts'

const closed = { additionalProperties: false } as const

const fields = {
  id: ObjectIdSchema,
  job: ObjectIdSchema,
  name: Type.Union([Type.String(), Type.Null()]),
  last4: Type.String({ description: 'The last four characters of the token, to tell tokens apart.' }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  revokedAt: NullableTimestamp,
}

/** A job token as it is shown. */
export const JobTokenView = Type.Object(fields, { ...closed, title: 'JobToken' })

/** A job token with its text, which is shown only when it is created. */
export const JobTokenWithTextView = Type.Object(
  {
    ...fields,
    token: Type.Union([Type.String(), Type.Null()], {
      description: 'The token. It is not shown again. Null in the answer to a repeated request.',
      examples: ['lathe_job_0123456789abcdefghijABCDEFGHIJ0123456789_-a'],
    }),
  },
  { ...closed, title: 'JobTokenWithText' },
)

/** All tokens of a job, newest first. */
export const JobTokenListView = Type.Object({ tokens: Type.Array(JobTokenView) }, { ...closed, title: 'JobTokenList' })

export type JobToken = Static<typeof JobTokenView>
export type JobTokenWithText = Static<typeof JobTokenWithTextView>
export type JobTokenList = Static<typeof JobTokenListView>
