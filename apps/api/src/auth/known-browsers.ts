import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { normalizeEmail } from '@lathe/accounts'
import type { Key, Keys } from '@lathe/runtime'
import { createSessionCookie } from './session-cookie.ts'

/**
 * Browsers in which a user has signed in before. A cookie marks them, which contains no secret of the account: it only
 * gives the browser a count of failed sign-ins of its own, so that the guesses of others do not keep its user out.
 */
export interface KnownBrowsers {
  /** A `Set-Cookie` that marks a browser for a user who has signed in completely. */
  mark(email: string): string
  /** Identifies the browser that sent a `Cookie` header, if it is marked for this email address. */
  find(header: string | undefined, email: string): string | undefined
}

const [nonceBytes, macBytes] = [16, 16]
const lastsS = 180 * 24 * 3600

/** Signs the marks, so that nothing is stored. */
export function createKnownBrowsers(publicUrl: string, keys: Keys): KnownBrowsers {
  const cookie = createSessionCookie(publicUrl, 'lathe-known')
  const sign = (secret: Key['secret'], nonce: Buffer, email: string) =>
    createHmac('sha256', secret)
      .update('known browser ')
      .update(nonce)
      .update(normalizeEmail(email))
      .digest()
      .subarray(0, macBytes)
  return {
    mark(email) {
      const nonce = randomBytes(nonceBytes)
      return cookie.write(Buffer.concat([nonce, sign(keys[0].secret, nonce, email)]).toString('base64url'), lastsS)
    },
    find(header, email) {
      const given = Buffer.from(cookie.read(header) ?? '', 'base64url')
      if (given.length !== nonceBytes + macBytes) return undefined
      const [nonce, mac] = [given.subarray(0, nonceBytes), given.subarray(nonceBytes)]
      const isMarked = keys.some(({ secret }) => timingSafeEqual(sign(secret, nonce, email), mac))
      return isMarked ? nonce.toString('base64url') : undefined
    },
  }
}
