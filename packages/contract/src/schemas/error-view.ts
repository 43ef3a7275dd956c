import { fieldErrorCodes } from '@lathe/domain'
import { type Static, Type } from 'typebox'
import { httpErrorCodes } from '../http-errors.ts'

/** The body of every refused request. */
export const ErrorView = Type.Object(
  {
    status: Type.Integer({ description: 'The HTTP status, repeated.' }),
    errorCode: Type.Enum(httpErrorCodes),
    msg: Type.String({ description: 'What is wrong, why, and what to do.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          { path: Type.String(), code: Type.Enum(fieldErrorCodes), msg: Type.String() },
          { additionalProperties: false },
        ),
        { description: 'Every faulty field, where there are such.' },
      ),
    ),
    requestId: Type.String(),
  },
  { additionalProperties: false, title: 'Error' },
)

export type ErrorBody = Static<typeof ErrorView>
