import { Type } from 'typebox'
import { limits } from '../limits.ts'

const closed = { additionalProperties: false } as const
const minutes = (least: number) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: least, maximum: limits.planMinutes }), Type.Null()]))

/** POST /auth/admin/accounts: a person who signs in. */
export const newAccountBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: limits.personNameChars }),
    email: Type.String({ minLength: 3, maxLength: limits.emailChars }),
    isAdmin: Type.Optional(Type.Boolean()),
  },
  closed,
)

/** PATCH /auth/admin/accounts/:id. Minutes are null for no limit. */
export const accountChangeBody = Type.Object(
  {
    isAdmin: Type.Optional(Type.Boolean()),
    isSuspended: Type.Optional(Type.Boolean()),
    plan: Type.Optional(
      Type.Object(
        {
          slots: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.planSlots })),
          minutesPerMonth: minutes(0),
          minutesPerTask: minutes(1),
        },
        closed,
      ),
    ),
  },
  closed,
)

/** POST /auth/admin/announcement: null for none. */
export const announcementBody = Type.Object(
  { text: Type.Union([Type.String({ maxLength: limits.announcementChars }), Type.Null()]) },
  closed,
)

const formatName = Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 32 }), Type.Null()]))

/** POST /auth/admin/disabled-formats: what is not given, or null, stands for any format. */
export const disabledFormatBody = Type.Object(
  {
    input: formatName,
    output: formatName,
    reason: Type.Optional(Type.Union([Type.String({ maxLength: limits.disabledReasonChars }), Type.Null()])),
  },
  closed,
)
