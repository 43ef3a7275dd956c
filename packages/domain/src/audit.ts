/** Actions in the audit log. The name is stored with each entry: never change one. */
export const auditActions = [
  'account.created',
  'account.suspended',
  'account.resumed',
  'account.admin_changed',
  'account.changed',
  'account.deleted',
  'session.opened',
  'session.ended',
  'password.changed',
  'totp.added',
  'totp.removed',
  'passkey.added',
  'passkey.changed',
  'passkey.removed',
  'identity.added',
  'device.approved',
  'device.denied',
  'key.created',
  'key.changed',
  'key.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_changed',
  'plan.changed',
  'team.created',
  'team.changed',
  'team.deleted',
  'member.added',
  'member.changed',
  'member.removed',
  'invitation.created',
  'invitation.revoked',
  'announcement.changed',
  'format.disabled',
  'format.enabled',
] as const

export type AuditAction = (typeof auditActions)[number]

/** How the actor was authenticated: in a browser, with an API key, or as the operator with a command on the host. */
export const auditChannels = ['session', 'key', 'host'] as const

export type AuditChannel = (typeof auditChannels)[number]
