import { Type } from 'typebox'
import { limits } from '../limits.ts'

/** The body of a new job token. */
export const jobTokenBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.keyNameChars, description: 'Purpose of the token.' }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Expiry as an ISO 8601 time in the future, at most the expiry of the job. Default: the expiry of the job.',
        examples: ['2027-01-31T00:00:00Z'],
      }),
    ),
  },
  { additionalProperties: false, title: 'CreateJobTokenRequest' },
)
