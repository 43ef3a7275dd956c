import type { Role } from '../../session/session.ts'

/** The roles that somebody may give and take: admins all but that of owners. */
export function rolesFor(own: Role): readonly Role[] {
  if (own === 'owner') return ['member', 'admin', 'owner']
  return own === 'admin' ? ['member', 'admin'] : []
}
