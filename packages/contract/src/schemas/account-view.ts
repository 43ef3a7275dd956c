import { type Static, Type } from 'typebox'
import { scopes } from '../scopes.ts'
import { NullableTimestamp, ObjectIdSchema, Timestamp } from './common.ts'

const closed = { additionalProperties: false } as const
const count = (description: string) => Type.Integer({ minimum: 0, description })
const countOrNone = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

/** An account: its plan, its usage and its limits. */
export const AccountView = Type.Object(
  {
    id: ObjectIdSchema,
    name: Type.String(),
    plan: Type.Object(
      {
        slots: Type.Integer({ minimum: 1, description: 'Maximum number of tasks that are queued or running.' }),
        minutesPerMonth: countOrNone('Conversion minutes per month; null without a limit.'),
        minutesPerTask: countOrNone('Conversion minutes one task may take; null without a limit.'),
      },
      closed,
    ),
    usage: Type.Object(
      {
        minutes: Type.Number({ minimum: 0, description: 'Conversion minutes used this month (UTC).' }),
        minutesLeft: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description: 'Null without a limit.' }),
        openTasks: count('Tasks that have not ended.'),
        runningTasks: count('Tasks that are queued or running.'),
        waitingTasks: count('Ready tasks that wait for a slot.'),
        storedBytes: count('Storage used by the files of this account.'),
      },
      closed,
    ),
    limits: Type.Object(
      {
        openTasks: countOrNone('Maximum number of open tasks; null if there is no limit.'),
        storedBytes: countOrNone('Bytes that may be stored; null without a limit.'),
        fileBytes: count('Maximum size of an imported or uploaded file, in bytes.'),
        requestsPerMinute: count('Requests with one key.'),
        tasksPerMinute: count('Tasks created.'),
      },
      closed,
    ),
    createdAt: Timestamp,
  },
  { ...closed, title: 'Account' },
)

const keyFields = {
  id: ObjectIdSchema,
  name: Type.String(),
  last4: Type.String({ description: 'The last four characters of the key, to tell keys apart.' }),
  scopes: Type.Array(Type.Enum(scopes)),
  createdAt: Timestamp,
  lastUsedAt: NullableTimestamp,
  expiresAt: NullableTimestamp,
  allowedIps: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'IP addresses and ranges from which the key may be used; null for any.',
  }),
  revokedAt: NullableTimestamp,
}

/** An API key as it is shown. */
export const ApiKeyView = Type.Object(keyFields, { ...closed, title: 'ApiKey' })

/** An API key with its text, which is shown only when it is created. */
export const ApiKeyWithTextView = Type.Object(
  {
    ...keyFields,
    key: Type.Union([Type.String(), Type.Null()], {
      description:
        'The key. Keep it; it is not shown again. Null in the answer to a repeated request: revoke the key and create another if the first answer was lost.',
      examples: ['lathe_0123456789abcdefghijABCDEFGHIJabcdef'],
    }),
  },
  { ...closed, title: 'ApiKeyWithText' },
)

/** All keys of an account, newest first. */
export const ApiKeyListView = Type.Object({ keys: Type.Array(ApiKeyView) }, { ...closed, title: 'ApiKeyList' })

export type Account = Static<typeof AccountView>
export type ApiKey = Static<typeof ApiKeyView>
export type ApiKeyWithText = Static<typeof ApiKeyWithTextView>
export type ApiKeyList = Static<typeof ApiKeyListView>
