import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { ObjectId } from '@lathe/domain'

/** A download link: which file of which task, and until when. */
export interface Link {
  readonly taskId: ObjectId
  readonly file: number | 'archive'
  /** Of its owner when it was made. */
  readonly generation: number
  /** Counted in whole seconds, as the link carries it. */
  readonly expiresAt: Date
}

/** The signature that makes a link valid, in base64url. */
export function signLink(key: KeyObject, link: Link): string {
  // The version leads, so that another form of link can never be read as this one. The first one has no generation: it
  // is what a release without generations makes and takes, so that both can serve while one replaces the other.
  const { generation } = link
  const parts = [link.taskId.toLowerCase(), link.file, expirySecond(link)]
  const text = generation === 0 ? ['lathe-link-v1', ...parts] : ['lathe-link-v2', ...parts, generation]
  return createHmac('sha256', key).update(text.join('\n')).digest('base64url')
}

/** Whether a link is ours and its time not over. */
export function verifyLink(key: KeyObject, link: Link, signature: string, now: Date): boolean {
  // The texts are compared, not what they decode to: several base64 texts decode to the same bytes.
  const expected = Buffer.from(signLink(key, link))
  const given = Buffer.from(signature)
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs && now.getTime() < expirySecond(link) * 1000
}

function expirySecond({ expiresAt }: Link): number {
  return Math.floor(expiresAt.getTime() / 1000)
}
