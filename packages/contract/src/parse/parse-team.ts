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

/** Reads whom a session's tokens are to act for. */
export function parseActiveOwner(sent: unknown): ObjectId {
  return parseId(readBody(activeOwnerBody, sent).ownerId, 'ownerId')
}

/** Reads what a member is to become. */
export function parseMember(sent: unknown): { readonly role: OwnerRole; readonly keepKeys: boolean } {
  const { role, keepKeys = false } = readBody(memberBody, sent)
  return { role, keepKeys }
}

/** Reads whether the keys of a member that goes are to stay. */
export function parseMemberRemoval(sent: unknown): { readonly keepKeys: boolean } {
  const { keepKeys = false } = readBody(memberRemovalBody, sent)
  return { keepKeys }
}

/** Reads who is to be invited, and as what. */
export function parseInvitation(sent: unknown): { readonly role: OwnerRole; readonly email?: string } {
  const { role = 'member', email } = readBody(invitationBody, sent)
  if (email === undefined) return { role }
  requireEmail(email, 'email')
  return { role, email }
}

/** Reads what the link of an invitation ends with. */
export function parseInvitationLink(sent: unknown): string {
  return readBody(invitationLinkBody, sent).link
}

/** Reads who accepts an invitation: whoever is signed in, or a person without an account. */
export function parseAcceptance(sent: unknown): Static<typeof acceptanceBody> {
  const acceptance = readBody(acceptanceBody, sent)
  if (acceptance.person) requireEmail(acceptance.person.email, 'person.email')
  return acceptance
}
