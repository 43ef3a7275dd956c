import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ObjectId } from '@lathe/domain'

/** A download link: which file of which task, and until when. */
export interface Link {
  readonly taskId: ObjectId
  readonly file: number | 'archive'
  /** Counted in whole seconds, as the link carries it. */
  readonly expiresAt: Date
}

/** The signature that makes a link valid, in base64url. */
export function signLink(key: Buffer, link: Link): string {
  // The version leads, so that another form of link can never be read as this one.
  const text = ['lathe-link-v1', link.taskId.toLowerCase(), link.file, expirySecond(link)].join('\n')
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** Whether a link is ours and its time not over. */
export function verifyLink(key: Buffer, link: Link, signature: string, now: Date): boolean {
  // The texts are compared, not what they decode to: several base64 texts decode to the same bytes.
  const expected = Buffer.from(signLink(key, link))
  const given = Buffer.from(signature)
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs && now.getTime() < expirySecond(link) * 1000
}

function expirySecond({ expiresAt }: Link): number {
  return Math.floor(expiresAt.getTime() / 1000)
}
