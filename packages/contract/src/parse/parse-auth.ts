import { invalidField, type ObjectId } from '@lathe/domain'
import type { Static } from 'typebox'
import {
  accountDeletionBody,
  codeBody,
  deviceApprovalBody,
  oidcStartBody,
  ownPasswordBody,
  passkeyBody,
  passkeyNameBody,
  passkeySignInBody,
  passwordBody,
  setupBody,
  signInBody,
  tokenBody,
  userCodeBody,
} from '../bodies/auth-bodies.ts'
import { parseId } from '../query/queries.ts'
import { readBody } from './read-body.ts'

/** Reads who wants to sign in. */
export function parseSignIn(sent: unknown): Static<typeof signInBody> {
  return readBody(signInBody, sent)
}

/** Reads who is to be the first administrator. */
export function parseSetup(sent: unknown): Static<typeof setupBody> {
  const setup = readBody(setupBody, sent)
  requireEmail(setup.email, 'email')
  return setup
}

/** Refuses what is no email address: more than this only its server can tell. */
export function requireEmail(email: string, path: string): void {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw invalidField(path, 'must be an email address.')
}

/** Reads a password and the one it replaces. */
export function parsePasswordChange(sent: unknown): Static<typeof passwordBody> {
  return readBody(passwordBody, sent)
}

/** Reads the password of who asks for something that takes it. */
export function parseOwnPassword(sent: unknown): Static<typeof ownPasswordBody> {
  return readBody(ownPasswordBody, sent)
}

/** Reads the password of who wants to delete their account. */
export function parseAccountDeletion(sent: unknown): Static<typeof accountDeletionBody> {
  return readBody(accountDeletionBody, sent)
}

/** Reads the code of a second factor. */
export function parseCode(sent: unknown): Static<typeof codeBody> {
  return readBody(codeBody, sent)
}

/** Reads a passkey that a browser has made. */
export function parsePasskey(sent: unknown): Static<typeof passkeyBody> {
  return readBody(passkeyBody, sent)
}

/** Reads another name of a passkey. */
export function parsePasskeyName(sent: unknown): { readonly name: string } {
  const name = readBody(passkeyNameBody, sent).name.trim()
  if (name === '') throw invalidField('name', 'must not be empty.')
  return { name }
}

/** Reads what a passkey has answered. */
export function parsePasskeySignIn(sent: unknown): Static<typeof passkeySignInBody> {
  return readBody(passkeySignInBody, sent)
}

/** Reads for whom a token is to act. */
export function parseTokenWish(sent: unknown): { readonly ownerId?: ObjectId } {
  const { ownerId } = readBody(tokenBody, sent)
  return ownerId === undefined ? {} : { ownerId: parseId(ownerId, 'ownerId') }
}

/** Reads how somebody begins to sign in at the identity provider. */
export function parseOidcStart(sent: unknown): { readonly back: string; readonly stay: boolean } {
  const { back = '/', stay = false } = readBody(oidcStartBody, sent)
  return { back, stay }
}

/** Reads the code that a program shows. */
export function parseUserCode(sent: unknown): Static<typeof userCodeBody> {
  return readBody(userCodeBody, sent)
}

/** Reads which sign-in of a program is approved, and for whom its key is to act. */
export function parseDeviceApproval(sent: unknown): { readonly userCode: string; readonly ownerId: ObjectId } {
  const { userCode, ownerId } = readBody(deviceApprovalBody, sent)
  return { userCode, ownerId: parseId(ownerId, 'ownerId') }
}
