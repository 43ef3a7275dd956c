import { type KeyObject, sign } from 'node:crypto'

/** The claims of an account that requests a token. */
export interface Claims {
  readonly clientEmail: string
  readonly scope: string
  /** The recipient of the claims. */
  readonly audience: string
  readonly now: Date
}

/** The maximum that the service allows. */
const lifetimeS = 3600

/** A signed assertion (RFC 7523, RS256) that is exchanged for an access token. */
export function makeAssertion(key: KeyObject, { clientEmail, scope, audience, now }: Claims): string {
  const iat = Math.floor(now.getTime() / 1000)
  const claims = { iss: clientEmail, scope, aud: audience, iat, exp: iat + lifetimeS }
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) => base64url(JSON.stringify(part))).join('.')
  return `${signed}.${base64url(sign('sha256', Buffer.from(signed), key))}`
}

function base64url(bytes: Buffer | string): string {
  return Buffer.from(bytes).toString('base64url')
}
