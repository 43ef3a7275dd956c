import type { AuditName } from '@lathe/contract'
import { useQuery } from '@tanstack/react-query'
import { useStore } from '../../lib/store.ts'
import { sessionStore } from '../../session/session.ts'
import { membersQuery } from '../members/queries.ts'

/** A user to filter the audit log by. */
export type AuditPerson = Pick<AuditName, 'id' | 'name' | 'email'>

/** The users the audit log can be filtered by: the members of the team, and those that the page names. */
export function useAuditPeople(names: readonly AuditName[]): readonly AuditPerson[] {
  const user = useStore(sessionStore, (now) => now?.user)
  const owner = useStore(sessionStore, (now) => now?.owner)
  const members = useQuery({ ...membersQuery(owner?.id ?? ''), enabled: owner?.kind === 'team' })
  const people = new Map<string, AuditPerson>()
  for (const person of names) if (person.kind === 'person') people.set(person.id, person)
  for (const person of members.data ?? []) people.set(person.id, person)
  if (user) people.set(user.id, user)
  return [...people.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}
