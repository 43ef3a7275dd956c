import { auditQuery } from '../query/queries.ts'
import { AuditPageView } from '../schemas/audit-view.ts'
import { errorsFor, type Route } from './route.ts'

// IP addresses and sign-ins are only for administrators of the account.
const read = { tags: ['account'], scope: 'account.write' } as const

/** The audit log: who did what to the account. */
export const auditRoutes = {
  listAudit: {
    ...read,
    method: 'GET',
    path: '/v1/audit',
    operationId: 'listAudit',
    summary: 'List the audit log',
    description:
      'Who did what to the account, when and from where: sign-ins, sessions, passwords, keys, webhooks and plans, newest first. Each entry is committed together with the change it describes.',
    query: auditQuery.schema,
    responses: { 200: { description: 'A page of the audit log.', schema: AuditPageView }, ...errorsFor(read) },
  },
} as const satisfies Record<string, Route>
