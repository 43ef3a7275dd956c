import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** The identity of a user at an identity provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** Returns the user of an identity, and records that it was used. */
export async function useIdentity(tx: Executor, { issuer, subject }: Identity): Promise<ObjectId | undefined> {
  const { rows } = await tx.query<{ userId: ObjectId }>(
    `update identities set last_used_at = now() where issuer = $1 and subject = $2 returning user_id as "userId"`,
    [issuer, subject],
  )
  return rows[0]?.userId
}

export async function insertIdentity(
  tx: Executor,
  { issuer, subject, userId }: Identity & { readonly userId: ObjectId },
): Promise<void> {
  await tx.query('insert into identities (issuer, subject, user_id) values ($1, $2, $3)', [
    ...[issuer, subject],
    bytes(userId),
  ])
}

/** A sign-in in progress at the provider. */
export interface OidcAttempt {
  readonly back: string
  readonly stay: boolean
}

export async function insertOidcAttempt(
  db: Executor,
  { hash, back, stay, lastsS }: OidcAttempt & { readonly hash: string; readonly lastsS: number },
): Promise<void> {
  await db.query(
    `insert into oidc_attempts (hash, back, stay, expires_at) values ($1, $2, $3, now() + $4 * interval '1 second')`,
    [bytes(hash), back, stay, lastsS],
  )
}

/** Consumes an attempt that came back in time: each works once. */
export async function takeOidcAttempt(db: Executor, hash: string): Promise<OidcAttempt | undefined> {
  const { rows } = await db.query<OidcAttempt>(
    'delete from oidc_attempts where hash = $1 and expires_at > now() returning back, stay',
    [bytes(hash)],
  )
  return rows[0]
}

/** Deletes attempts that did not come back in time. */
export async function forgetOidcAttempts(db: Executor, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'delete from oidc_attempts where hash in (select hash from oidc_attempts where expires_at <= now() limit $1)',
    [limit],
  )
  return rowCount ?? 0
}
