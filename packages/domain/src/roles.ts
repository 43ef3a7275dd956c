/**
 * The roles of a user in an owner, from least to most:
 *
 *   member  uses it: jobs, files, presets
 *   admin   also manages keys, webhooks, members and invitations
 *   owner   also grants and revokes the owner role, and deletes the team
 */
export const ownerRoles = ['member', 'admin', 'owner'] as const

export type OwnerRole = (typeof ownerRoles)[number]

/** Whether a role includes the rights of another. */
export function isAtLeast(role: OwnerRole, needed: OwnerRole): boolean {
  return ownerRoles.indexOf(role) >= ownerRoles.indexOf(needed)
}

/** Whether an actor may grant, change or revoke this role: admins may do so with every role except owner. */
export function mayManage(actor: OwnerRole, role: OwnerRole): boolean {
  return isAtLeast(actor, 'admin') && isAtLeast(actor, role)
}
