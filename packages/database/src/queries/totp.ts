import type { ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A user's TOTP secret. */
export interface TotpRecord {
  /** Hex. */
  readonly sealed: string
  readonly isConfirmed: boolean
}

export async function findTotp(db: Executor, userId: ObjectId): Promise<TotpRecord | undefined> {
  const { rows } = await db.query<TotpRecord>(
    `select sealed, confirmed_at is not null as "isConfirmed" from totp where user_id = $1`,
    [bytes(userId)],
  )
  return rows[0]
}

/** Stores an unconfirmed secret and replaces an earlier one; false if the user has a confirmed one. */
export async function insertTotp(
  tx: Executor,
  { userId, sealed }: { readonly userId: ObjectId; readonly sealed: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into totp (user_id, sealed) values ($1, $2)
     on conflict (user_id) do update set sealed = excluded.sealed, last_step = 0 where totp.confirmed_at is null`,
    [bytes(userId), bytes(sealed)],
  )
  return rowCount === 1
}

/** Uses the code of a time step, which confirms the secret; false if this or a later one was used before. */
export async function takeTotpStep(
  tx: Executor,
  { userId, step }: { readonly userId: ObjectId; readonly step: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update totp set last_step = $2, confirmed_at = coalesce(confirmed_at, now())
      where user_id = $1 and last_step < $2`,
    [bytes(userId), step],
  )
  return rowCount === 1
}

/** Removes the second factor of a user with its recovery codes; false if there is none. */
export async function deleteTotp(tx: Executor, userId: ObjectId): Promise<boolean> {
  const { rowCount } = await tx.query('delete from totp where user_id = $1', [bytes(userId)])
  return rowCount === 1
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(tx: Executor, userId: ObjectId, hashes: readonly string[]): Promise<void> {
  await tx.query('delete from recovery_codes where user_id = $1', [bytes(userId)])
  await tx.query('insert into recovery_codes (user_id, hash) select $1, unnest($2::bytea[])', [
    bytes(userId),
    manyBytes(hashes),
  ])
}

/** Consumes a recovery code; false if there is no such code. */
export async function takeRecoveryCode(
  tx: Executor,
  { userId, hash }: { readonly userId: ObjectId; readonly hash: string },
): Promise<boolean> {
  const { rowCount } = await tx.query('delete from recovery_codes where user_id = $1 and hash = $2', [
    bytes(userId),
    bytes(hash),
  ])
  return rowCount === 1
}

/** Secrets in the order of their users' ids, after the given one. */
export async function findSealedTotp(
  db: Executor,
  { after, limit }: { readonly after: ObjectId; readonly limit: number },
): Promise<readonly { readonly id: ObjectId; readonly sealed: string }[]> {
  const { rows } = await db.query<{ id: ObjectId; sealed: string }>(
    'select user_id as id, sealed from totp where user_id > $1 order by user_id limit $2',
    [bytes(after), limit],
  )
  return rows
}

/** Replaces the sealed value, if it is still the one that was read. */
export async function replaceTotpSeal(
  db: Executor,
  { id, sealed }: { readonly id: ObjectId; readonly sealed: string },
  resealed: string,
): Promise<void> {
  await db.query('update totp set sealed = $3 where user_id = $1 and sealed = $2', [
    bytes(id),
    bytes(sealed),
    bytes(resealed),
  ])
}
