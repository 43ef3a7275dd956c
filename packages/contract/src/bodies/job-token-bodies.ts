import { Type } from 'typebox'
import { limits } from '../limits.ts'

/** The body of a new job token. */
export const jobTokenBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.keyNameChars, description: 'Who or what the token is for.' }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'When it stops working, as an ISO 8601 time in the future, no later than the record of the job; with the record unless given.',
        examples: ['2027-01-31T00:00:00Z'],
      }),
    ),
  },
  { additionalProperties: false, title: 'CreateJobTokenRequest' },
)
