import { invalidField, type ObjectId } from '@lathe/domain'
import type { Static } from 'typebox'
import {
  accountDeletionBody,
  codeBody,
  confirmationBody,
  deviceApprovalBody,
  oidcStartBody,
  ownPasswordBody,
  passkeyBody,
  passkeyNameBody,
  passkeySignInBody,
  passwordBody,
  profileBody,
  setupBody,
  signInBody,
  tokenBody,
  userCodeBody,
} from '../bodies/auth-bodies.ts'
import { parseId } from '../query/queries.ts'
import { readBody } from './read-body.ts'

/** Reads a sign-in. */
export function parseSignIn(sent: unknown): Static<typeof signInBody> {
  return readBody(signInBody, sent)
}

/** Reads the first administrator. */
export function parseSetup(sent: unknown): Static<typeof setupBody> {
  const setup = readBody(setupBody, sent)
  requireEmail(setup.email, 'email')
  return setup
}

/** Refuses malformed email addresses; only the mail server could tell more. */
export function requireEmail(email: string, path: string): void {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw invalidField(path, 'must be an email address.')
}

/** Reads a new password and the current one. */
export function parsePasswordChange(sent: unknown): Static<typeof passwordBody> {
  return readBody(passwordBody, sent)
}

/** Reads the password that confirms a change. */
export function parseOwnPassword(sent: unknown): Static<typeof ownPasswordBody> {
  return readBody(ownPasswordBody, sent)
}

/** Reads the password by which users confirm who they are. */
export function parseConfirmation(sent: unknown): Static<typeof confirmationBody> {
  return readBody(confirmationBody, sent)
}

/** Reads the password that confirms the deletion of an account. */
export function parseAccountDeletion(sent: unknown): Static<typeof accountDeletionBody> {
  return readBody(accountDeletionBody, sent)
}

/** Reads the changes to a profile, and the password that confirms a new email address. */
export function parseProfile(sent: unknown): Static<typeof profileBody> {
  const { name: given, ...rest } = readBody(profileBody, sent)
  if (rest.email !== undefined) requireEmail(rest.email, 'email')
  const name = given?.trim()
  if (name === '') throw invalidField('name', 'must not be empty.')
  return { ...rest, ...(name !== undefined && { name }) }
}

/** Reads the code of a second factor. */
export function parseCode(sent: unknown): Static<typeof codeBody> {
  return readBody(codeBody, sent)
}

/** Reads a passkey that a browser has created. */
export function parsePasskey(sent: unknown): Static<typeof passkeyBody> {
  return readBody(passkeyBody, sent)
}

/** Reads a new name for a passkey. */
export function parsePasskeyName(sent: unknown): { readonly name: string } {
  const name = readBody(passkeyNameBody, sent).name.trim()
  if (name === '') throw invalidField('name', 'must not be empty.')
  return { name }
}

/** Reads the response of a passkey. */
export function parsePasskeySignIn(sent: unknown): Static<typeof passkeySignInBody> {
  return readBody(passkeySignInBody, sent)
}

/** Reads the owner that a token will act for. */
export function parseTokenRequest(sent: unknown): { readonly ownerId?: ObjectId } {
  const { ownerId } = readBody(tokenBody, sent)
  return ownerId === undefined ? {} : { ownerId: parseId(ownerId, 'ownerId') }
}

/** Reads the start of a sign-in at the identity provider. */
export function parseOidcStart(sent: unknown): { readonly back: string; readonly stay: boolean } {
  const { back = '/', stay = false } = readBody(oidcStartBody, sent)
  return { back, stay }
}

/** Reads the code that a program shows. */
export function parseUserCode(sent: unknown): Static<typeof userCodeBody> {
  return readBody(userCodeBody, sent)
}

/** Reads which sign-in of a program is approved, and the owner that its key will act for. */
export function parseDeviceApproval(sent: unknown): { readonly userCode: string; readonly ownerId: ObjectId } {
  const { userCode, ownerId } = readBody(deviceApprovalBody, sent)
  return { userCode, ownerId: parseId(ownerId, 'ownerId') }
}
