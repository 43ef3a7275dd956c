import { queryOptions } from '@tanstack/react-query'
import { queries } from '../../app/queries.ts'
import { callAuth } from '../../session/auth-client.ts'
import { loadSession } from '../../session/bearer.ts'
import type { Role } from '../../session/session.ts'

export interface Team {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly members: number
}

export interface Member {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly role: Role
  readonly joinedAt: string
}

export interface Invitation {
  readonly id: string
  readonly role: Role
  readonly email: string | null
  readonly inviter: string
  readonly expiresAt: string
}

/** A new invitation, with its link, and whether it was mailed. */
export interface MadeInvitation extends Invitation {
  readonly url: string
  readonly mail: 'sent' | 'failed' | 'limited' | 'none'
}

export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async () => (await callAuth<{ data: readonly Team[] }>('teams')).data,
})

export const membersQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['teams', teamId, 'members'],
    queryFn: async () => (await callAuth<{ data: readonly Member[] }>(`teams/${teamId}/members`)).data,
  })

export const invitationsQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['teams', teamId, 'invitations'],
    queryFn: async () => (await callAuth<{ data: readonly Invitation[] }>(`teams/${teamId}/invitations`)).data,
  })

const changed = () => queries.invalidateQueries({ queryKey: ['teams'] })

export async function createTeam(name: string): Promise<Team> {
  return callAuth<Team>('teams', { name })
}

/** Renames a team. Its name is shown in several places, so all of them reload. */
export async function renameTeam(teamId: string, name: string): Promise<void> {
  await callAuth(`teams/${teamId}`, { name }, 'PATCH')
  await Promise.all([changed(), loadSession()])
}

export async function deleteTeam(teamId: string): Promise<void> {
  await callAuth(`teams/${teamId}`, {}, 'DELETE')
}

export async function setRole(teamId: string, userId: string, role: Role): Promise<void> {
  await callAuth(`teams/${teamId}/members/${userId}`, { role }, 'PATCH').finally(changed)
}

/** Removes a member; users leave a team by removing themselves. */
export async function removeMember(teamId: string, userId: string): Promise<void> {
  await callAuth(`teams/${teamId}/members/${userId}`, {}, 'DELETE')
  await changed()
}

export async function invite(teamId: string, request: { role: Role; email?: string }): Promise<MadeInvitation> {
  const made = await callAuth<MadeInvitation>(`teams/${teamId}/invitations`, request)
  await changed()
  return made
}

export async function revokeInvitation(teamId: string, id: string): Promise<void> {
  await callAuth(`teams/${teamId}/invitations/${id}`, {}, 'DELETE')
  await changed()
}
