import { auditActions } from '@lathe/domain'
import { Type } from 'typebox'
import { AuditPageView } from '../schemas/audit-view.ts'
import { idPattern } from '../schemas/common.ts'
import { errorsFor, type Route } from './route.ts'
import { pagingQuery, timeQuery } from './task-routes.ts'

// Addresses and sign-ins are the business of who administers the account.
const read = { tags: ['account'], scope: 'account.write' } as const

/** Who did what to the account. */
export const auditRoutes = {
  listAudit: {
    ...read,
    method: 'GET',
    path: '/v1/audit',
    operationId: 'listAudit',
    summary: 'List the audit log',
    description:
      'Who did what to the account, when and from where: sign-ins, sessions, passwords, keys, webhooks and plans, newest first. Each entry is written together with the change it tells of.',
    query: Type.Object({
      action: Type.Optional(Type.Enum(auditActions, { description: 'Only entries of this action.' })),
      user: Type.Optional(Type.String({ pattern: idPattern, description: 'Only what this user did.' })),
      from: timeQuery('Only entries from this time (UTC) on.'),
      to: timeQuery('Only entries before this time (UTC).'),
      ...pagingQuery,
    }),
    responses: { 200: { description: 'A page of the audit log.', schema: AuditPageView }, ...errorsFor(read) },
  },
} as const satisfies Record<string, Route>
