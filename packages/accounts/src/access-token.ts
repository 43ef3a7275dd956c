import { createHmac, timingSafeEqual } from 'node:crypto'
import { isScope, type KeyScope } from '@lathe/contract'
import { isObjectId, type ObjectId } from '@lathe/domain'
import type { Key, Keys } from '@lathe/runtime'

/** The contents of a session's bearer token. */
export interface AccessToken {
  readonly sessionId: ObjectId
  readonly ownerId: ObjectId
  readonly scopes: readonly KeyScope[]
  readonly expiresAt: Date
}

/**
 * A token, as a page keeps it in memory:
 *
 *   lathe_t_ ┊ base64url of [session, owner, expiry in seconds, scopes] as JSON ┊ . ┊ base64url of its HMAC-SHA-256
 *
 * Nothing of it is stored: its validity depends on its session at the time of use.
 */
const prefix = 'lathe_t_'
const pattern = /^lathe_t_([A-Za-z0-9_-]{1,600})\.([A-Za-z0-9_-]{43})$/

/** Whether a text has the form of a token. */
export function isAccessToken(text: string): boolean {
  return pattern.test(text)
}

/** Creates a token, signed with the newest key. */
export function formatAccessToken({ sessionId, ownerId, expiresAt, scopes }: AccessToken, [key]: Keys): string {
  const seconds = Math.floor(expiresAt.getTime() / 1000)
  const claims = Buffer.from(JSON.stringify([sessionId, ownerId, seconds, scopes])).toString('base64url')
  return `${prefix}${claims}.${sign(claims, key).toString('base64url')}`
}

/** Reads a token that is signed with one of the keys, unless it has expired. */
export function readAccessToken(text: string, keys: Keys, now: Date): AccessToken | undefined {
  const [, claims = '', signature = ''] = pattern.exec(text) ?? []
  const given = Buffer.from(signature, 'base64url')
  if (!keys.some((key) => isSame(sign(claims, key), given))) return undefined
  const token = toToken(JSON.parse(Buffer.from(claims, 'base64url').toString()))
  return token && token.expiresAt > now ? token : undefined
}

const sign = (claims: string, { secret }: Key) => createHmac('sha256', secret).update(`${prefix}${claims}`).digest()
const isSame = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)

function toToken(claims: unknown): AccessToken | undefined {
  if (!Array.isArray(claims)) return undefined
  const [sessionId, ownerId, seconds, scopes] = claims as unknown[]
  if (!isObjectId(String(sessionId)) || !isObjectId(String(ownerId)) || !Array.isArray(scopes)) return undefined
  return {
    sessionId: String(sessionId),
    ownerId: String(ownerId),
    scopes: scopes.map(String).filter(isScope),
    expiresAt: new Date(Number(seconds) * 1000),
  }
}
