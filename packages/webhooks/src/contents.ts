import { randomBytes } from 'node:crypto'
import type { Sealer } from '@lathe/runtime'

/** The sealed part of a webhook. */
export interface Contents {
  /** Null for the webhook that represents the `webhook_url` of jobs. */
  readonly url: string | null
  readonly secret: string
  /** The previous secret, and until when it also signs. */
  readonly old?: { readonly secret: string; readonly expiresAt: string }
}

const secretBytes = 32
const oldSecretMs = 24 * 3_600_000

/** A secret in the format of Standard Webhooks: 32 random bytes in base64 after `whsec_`. */
export function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`
}

/** Creates a new secret; the previous one also signs for a day. */
export function rotated({ url, secret }: Contents, now: Date): Contents {
  const expiresAt = new Date(now.getTime() + oldSecretMs).toISOString()
  return { url, secret: newSecret(), old: { secret, expiresAt } }
}

/** When the previous secret expires, if it has not. */
export function oldSecretEnd({ old }: Contents, now: Date): Date | null {
  const end = old && new Date(old.expiresAt)
  return end && end > now ? end : null
}

/** The secrets that deliveries are signed with now, the newest first. */
export function signingSecrets(contents: Contents, now: Date): readonly string[] {
  const { secret, old } = contents
  return old && oldSecretEnd(contents, now) ? [secret, old.secret] : [secret]
}

export function sealContents(sealer: Sealer, id: string, contents: Contents): string {
  return sealer.seal(JSON.stringify(contents), id)
}

export function openContents(sealer: Sealer, { id, sealed }: { id: string; sealed: string }): Contents {
  return JSON.parse(sealer.open(sealed, id)) as Contents
}
