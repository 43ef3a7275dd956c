import { invalidField, type ObjectId, type OwnerRole } from '@lathe/domain'
import type { Static } from 'typebox'
import {
  acceptanceBody,
  activeOwnerBody,
  invitationBody,
  invitationLinkBody,
  memberBody,
  memberRemovalBody,
  teamBody,
} from '../bodies/team-bodies.ts'
import { parseId } from '../query/queries.ts'
import { requireEmail } from './parse-auth.ts'
import { readBody } from './read-body.ts'

/** Reads the name of a team. */
export function parseTeam(sent: unknown): { readonly name: string } {
  const name = readBody(teamBody, sent).name.trim()
  if (name === '') throw invalidField('name', 'must not be empty.')
  return { name }
}

/** Reads the owner that a session's tokens will act for. */
export function parseActiveOwner(sent: unknown): ObjectId {
  return parseId(readBody(activeOwnerBody, sent).ownerId, 'ownerId')
}

/** Reads the new role of a member. */
export function parseMember(sent: unknown): { readonly role: OwnerRole; readonly keepKeys: boolean } {
  const { role, keepKeys = false } = readBody(memberBody, sent)
  return { role, keepKeys }
}

/** Reads whether the keys of a removed member are kept. */
export function parseMemberRemoval(sent: unknown): { readonly keepKeys: boolean } {
  const { keepKeys = false } = readBody(memberRemovalBody, sent)
  return { keepKeys }
}

/** Reads who is invited, and in which role. */
export function parseInvitation(sent: unknown): { readonly role: OwnerRole; readonly email?: string } {
  const { role = 'member', email } = readBody(invitationBody, sent)
  if (email === undefined) return { role }
  requireEmail(email, 'email')
  return { role, email }
}

/** Reads the secret at the end of an invitation link. */
export function parseInvitationLink(sent: unknown): string {
  return readBody(invitationLinkBody, sent).link
}

/** Reads who accepts an invitation: the signed-in user, or a new account. */
export function parseAcceptance(sent: unknown): Static<typeof acceptanceBody> {
  const acceptance = readBody(acceptanceBody, sent)
  if (acceptance.person) requireEmail(acceptance.person.email, 'person.email')
  return acceptance
}
