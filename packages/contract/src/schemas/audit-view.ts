import { auditActions, auditChannels } from '@lathe/domain'
import { type Static, Type } from 'typebox'
import { ObjectIdSchema, Timestamp } from './common.ts'
import { pageFields } from './page-view.ts'

const idOrNone = (description: string) => Type.Union([ObjectIdSchema, Type.Null()], { description })

/** An entry of the audit log. */
export const AuditEntryView = Type.Object(
  {
    id: ObjectIdSchema,
    action: Type.Enum(auditActions),
    userId: idOrNone('The acting user; null for the operator.'),
    via: Type.Enum(auditChannels, { description: 'With a browser, with an API key, or by a command on the host.' }),
    viaId: idOrNone('The session or key it was done with.'),
    subjectId: idOrNone('The key, webhook, session or account it was done to.'),
    detail: Type.Record(Type.String(), Type.Unknown(), { description: 'Further details.' }),
    address: Type.Union([Type.String(), Type.Null()], { description: 'Where the request came from.' }),
    createdAt: Timestamp,
  },
  { additionalProperties: false, title: 'AuditEntry' },
)

/** The name of a user, a team or an API key that entries refer to. */
export const AuditNameView = Type.Object(
  {
    id: ObjectIdSchema,
    kind: Type.Enum(['person', 'team', 'key']),
    name: Type.String(),
    email: Type.Union([Type.String(), Type.Null()], {
      description: 'The email address of the account itself and of members of the team; null for others.',
    }),
  },
  { additionalProperties: false, title: 'AuditName' },
)

/** A page of the audit log, newest first. */
export const AuditPageView = Type.Object(
  {
    docs: Type.Array(AuditEntryView),
    names: Type.Array(AuditNameView, {
      description: 'The names behind `userId` and `subjectId` of these entries, where they still exist.',
    }),
    ...pageFields,
  },
  { additionalProperties: false, title: 'AuditPage' },
)

export type AuditEntry = Static<typeof AuditEntryView>
export type AuditName = Static<typeof AuditNameView>
export type AuditPage = Static<typeof AuditPageView>
