import { Type } from 'typebox'
import { limits } from '../limits.ts'

const closed = { additionalProperties: false } as const
const minutes = (least: number) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: least, maximum: limits.planMinutes }), Type.Null()]))

/** POST /auth/admin/accounts: a new account. */
export const newAccountBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: limits.personNameChars }),
    email: Type.String({ minLength: 3, maxLength: limits.emailChars }),
    isAdmin: Type.Optional(Type.Boolean()),
  },
  { ...closed, title: 'CreateAccountRequest' },
)

/**
 * PATCH /auth/admin/accounts/:id. Null minutes mean no limit. Null bytes mean the setting STORED_BYTES_PER_OWNER, and 0
 * no limit.
 */
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
          storageBytes: Type.Optional(
            Type.Union([Type.Integer({ minimum: 0, maximum: limits.planStorageBytes }), Type.Null()]),
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: 'UpdateAccountRequest' },
)

/** POST /auth/admin/announcement: null removes it. */
export const announcementBody = Type.Object(
  { text: Type.Union([Type.String({ maxLength: limits.announcementChars }), Type.Null()]) },
  { ...closed, title: 'AnnouncementRequest' },
)

const formatName = Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 32 }), Type.Null()]))

/** POST /auth/admin/disabled-formats: a missing or null field means any format. */
export const disabledFormatBody = Type.Object(
  {
    input: formatName,
    output: formatName,
    reason: Type.Optional(Type.Union([Type.String({ maxLength: limits.disabledReasonChars }), Type.Null()])),
  },
  { ...closed, title: 'DisableFormatRequest' },
)
