import type { AuditEntry } from '@lathe/contract'

export type AuditAction = AuditEntry['action']

/** What the audit log is narrowed by, and which page of it is shown: all of it is in the address of the page. */
export interface AuditFilter {
  readonly action?: AuditAction
  readonly user?: string
  /** Days, in UTC; the last one is included. */
  readonly from?: string
  readonly to?: string
  readonly after?: string
  readonly before?: string
}

// Of the contract only types are loaded, so they stand here again; the compiler compares.
const byAction: Readonly<Record<AuditAction, true>> = {
  'account.created': true,
  'account.suspended': true,
  'account.resumed': true,
  'account.admin_changed': true,
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

/** Reads the filter from the address of the page; what has no meaning is left out. */
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

/** Whether it leaves anything out. */
export function isNarrowed({ action, user, from, to }: AuditFilter): boolean {
  return [action, user, from, to].some((one) => one !== undefined)
}

const dayMs = 24 * 3600 * 1000

/** The query of the API: there the end is a moment, which is no part of what is asked for. */
export function toAuditQuery({ to, ...filter }: AuditFilter, perPage: number): URLSearchParams {
  const end = to && Date.parse(to) + dayMs
  const until = end && Number.isFinite(end) ? { to: new Date(end).toISOString() } : {}
  return new URLSearchParams({ per_page: String(perPage), ...filter, ...until })
}
