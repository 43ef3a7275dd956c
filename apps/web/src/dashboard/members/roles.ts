import type { Role } from '../../session/session.ts'

/** The roles that a member may give and take: admins all except owner. */
export function rolesFor(own: Role): readonly Role[] {
  if (own === 'owner') return ['member', 'admin', 'owner']
  return own === 'admin' ? ['member', 'admin'] : []
}
