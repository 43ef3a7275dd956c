import type { AuditEntry } from '@lathe/contract'

export type AuditAction = AuditEntry['action']

/** The filter and page of the audit log: all of it is in the URL of the page. */
export interface AuditFilter {
  readonly action?: AuditAction
  readonly user?: string
  /** Days, in UTC; the last one is included. */
  readonly from?: string
  readonly to?: string
  readonly after?: string
  readonly before?: string
}

// Only types are imported from the contract, so the values are repeated here; the compiler checks them.
const byAction: Readonly<Record<AuditAction, true>> = {
  'account.created': true,
  'account.suspended': true,
  'account.resumed': true,
  'account.admin_changed': true,
  'account.changed': true,
  'account.deleted': true,
  'session.opened': true,
  'session.ended': true,
  'password.changed': true,
  'totp.added': true,
  'totp.removed': true,
  'passkey.added': true,
  'passkey.changed': true,
  'passkey.removed': true,
  'identity.added': true,
  'device.approved': true,
  'device.denied': true,
  'key.created': true,
  'key.changed': true,
  'key.revoked': true,
  'webhook.created': true,
  'webhook.changed': true,
  'webhook.deleted': true,
  'webhook.secret_changed': true,
  'plan.changed': true,
  'team.created': true,
  'team.changed': true,
  'team.deleted': true,
  'member.added': true,
  'member.changed': true,
  'member.removed': true,
  'invitation.created': true,
  'invitation.revoked': true,
  'announcement.changed': true,
  'format.disabled': true,
  'format.enabled': true,
}
export const auditActions = Object.keys(byAction) as AuditAction[]

/** Reads the filter from the URL of the page; invalid values are dropped. */
export function parseAuditFilter(search: Readonly<Record<string, unknown>>): AuditFilter {
  const action = auditActions.find((one) => one === search.action)
  const matching = (name: string, pattern: RegExp) => {
    const text = String(search[name] ?? '')
    return pattern.test(text) ? { [name]: text } : {}
  }
  const [day, id] = [/^\d{4}-\d\d-\d\d$/, /^[0-9a-f]{24}$/i]
  return {
    ...(action && { action }),
    ...matching('user', id),
    ...matching('from', day),
    ...matching('to', day),
    ...matching('after', id),
    ...(search.after === undefined && matching('before', id)),
  }
}

/** Whether it filters anything. */
export function isNarrowed({ action, user, from, to }: AuditFilter): boolean {
  return [action, user, from, to].some((one) => one !== undefined)
}

const dayMs = 24 * 3600 * 1000

/** The query of the API, whose end is a time that is not included. */
export function toAuditQuery({ to, ...filter }: AuditFilter, perPage: number): URLSearchParams {
  const end = to && Date.parse(to) + dayMs
  const until = end && Number.isFinite(end) ? { to: new Date(end).toISOString() } : {}
  return new URLSearchParams({ per_page: String(perPage), ...filter, ...until })
}
