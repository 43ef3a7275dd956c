import type { ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** The app that shows a user's codes. */
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

/** Keeps a secret that is to be confirmed, in place of another such; false if the user has a confirmed one. */
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

/** Takes the code of a time step, which confirms the secret; false if that or a later one was taken before. */
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

/** Puts recovery codes in place of those there were. */
export async function replaceRecoveryCodes(tx: Executor, userId: ObjectId, hashes: readonly string[]): Promise<void> {
  await tx.query('delete from recovery_codes where user_id = $1', [bytes(userId)])
  await tx.query('insert into recovery_codes (user_id, hash) select $1, unnest($2::bytea[])', [
    bytes(userId),
    manyBytes(hashes),
  ])
}

/** Takes a recovery code; false if there is none such. */
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

/** Secrets in the order of their users, after the one named. */
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

/** Puts another seal in place of the one that was read, if it is still there. */
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
