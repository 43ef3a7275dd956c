import { Navigate } from '@tanstack/react-router'
import { useStore } from '../../lib/store.ts'
import { sessionStore } from '../../session/session.ts'
import { TeamMembers } from './team-members.tsx'
import { Teams } from './teams.tsx'

/** `/members`: the members of the active team, or the user's teams. */
export function MembersPage() {
  const session = useStore(sessionStore, (now) => now)
  if (session?.signedIn && !session.user) return <Navigate to="/jobs" replace />
  if (session?.owner?.kind === 'team') return <TeamMembers team={session.owner} />
  return <Teams />
}
