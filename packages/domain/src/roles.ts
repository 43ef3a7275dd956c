/**
 * What a user is to an owner, from least to most:
 *
 *   member  uses it: jobs, files, presets
 *   admin   also manages keys, webhooks, members and invitations
 *   owner   also makes and unmakes owners, and deletes the team
 */
export const ownerRoles = ['member', 'admin', 'owner'] as const

export type OwnerRole = (typeof ownerRoles)[number]

/** Whether a role may do what another may. */
export function isAtLeast(role: OwnerRole, needed: OwnerRole): boolean {
  return ownerRoles.indexOf(role) >= ownerRoles.indexOf(needed)
}

/** Whether somebody may give, change or take away this role: admins all but that of owners. */
export function mayManage(actor: OwnerRole, role: OwnerRole): boolean {
  return isAtLeast(actor, 'admin') && isAtLeast(actor, role)
}
