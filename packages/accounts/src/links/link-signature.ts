import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { ObjectId } from '@lathe/domain'

/** A download link: the file, its task, and the expiry. */
export interface Link {
  readonly taskId: ObjectId
  readonly file: number | 'archive'
  /** The owner's generation when the link was created. */
  readonly generation: number
  /** In whole seconds, as in the link. */
  readonly expiresAt: Date
}

/** The signature of a link, in base64url. */
export function signLink(key: KeyObject, link: Link): string {
  // The version comes first, so that another kind of link can never be read as this one. The first version has no
  // generation: releases without generations create and accept it, so both can serve while one replaces the other.
  const { generation } = link
  const parts = [link.taskId.toLowerCase(), link.file, expirySecond(link)]
  const text = generation === 0 ? ['lathe-link-v1', ...parts] : ['lathe-link-v2', ...parts, generation]
  return createHmac('sha256', key).update(text.join('\n')).digest('base64url')
}

/** Whether a link is ours and has not expired. */
export function verifyLink(key: KeyObject, link: Link, signature: string, now: Date): boolean {
  // Compares the texts, not the decoded bytes: several base64 texts decode to the same bytes.
  const expected = Buffer.from(signLink(key, link))
  const given = Buffer.from(signature)
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs && now.getTime() < expirySecond(link) * 1000
}

function expirySecond({ expiresAt }: Link): number {
  return Math.floor(expiresAt.getTime() / 1000)
}
