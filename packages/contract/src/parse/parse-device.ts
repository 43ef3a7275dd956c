import { invalidField } from '@lathe/domain'
import type { Static } from 'typebox'
import { deviceLoginBody, deviceTokenBody } from '../bodies/device-bodies.ts'
import { type KeyScope, usualScopes } from '../scopes.ts'
import { readBody } from './read-body.ts'

/** A sign-in requested by a program. */
export interface ParsedDeviceLogin {
  readonly name: string
  readonly scopes: readonly KeyScope[]
}

/** Reads which program wants to sign in. The user decides by its name, so it must not contain invisible characters. */
export function parseDeviceLogin(sent: unknown): ParsedDeviceLogin {
  const { client_name, scopes: wanted = usualScopes } = readBody(deviceLoginBody, sent)
  const name = client_name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()
  if (name === '') throw invalidField('client_name', 'must hold letters or digits.')
  return { name, scopes: usualScopes.filter((scope) => wanted.includes(scope)) }
}

/** Reads the code that a program polls with. */
export function parseDeviceToken(sent: unknown): Static<typeof deviceTokenBody> {
  return readBody(deviceTokenBody, sent)
}
