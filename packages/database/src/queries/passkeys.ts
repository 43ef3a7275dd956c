import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A passkey of a user. */
export interface PasskeyRecord {
  readonly id: ObjectId
  readonly userId: ObjectId
  readonly name: string
  /** Hex, like the public key. */
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

export type NewPasskey = Omit<PasskeyRecord, 'createdAt' | 'lastUsedAt'>

const columns = `id, user_id as "userId", name, credential_id as "credentialId", public_key as "publicKey", counter,
  transports, created_at as "createdAt", last_used_at as "lastUsedAt"`

/** Adds a passkey; undefined if the same credential was added before. */
export async function insertPasskey(tx: Executor, key: NewPasskey): Promise<PasskeyRecord | undefined> {
  const { rows } = await tx.query<PasskeyRecord>(
    `insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning ${columns}`,
    [
      ...[bytes(key.id), bytes(key.userId), key.name, bytes(key.credentialId), bytes(key.publicKey)],
      ...[key.counter, key.transports],
    ],
  )
  return rows[0]
}

/** The passkeys of a user, newest first. */
export async function listPasskeys(db: Executor, userId: ObjectId): Promise<readonly PasskeyRecord[]> {
  const { rows } = await db.query<PasskeyRecord>(
    `select ${columns} from passkeys where user_id = $1 order by id desc`,
    [bytes(userId)],
  )
  return rows
}

export async function findPasskey(db: Executor, credentialId: string): Promise<PasskeyRecord | undefined> {
  const { rows } = await db.query<PasskeyRecord>(`select ${columns} from passkeys where credential_id = $1`, [
    bytes(credentialId),
  ])
  return rows[0]
}

/** Records a use; false if the authenticator's counter has not increased, which indicates a copy. */
export async function usePasskey(
  tx: Executor,
  { id, counter }: { readonly id: ObjectId; readonly counter: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update passkeys set counter = $2, last_used_at = now() where id = $1 and (counter < $2 or $2 = 0 and counter = 0)`,
    [bytes(id), counter],
  )
  return rowCount === 1
}

/** Renames a passkey of a user; undefined if there is no such passkey. */
export async function renamePasskey(
  tx: Executor,
  { id, userId, name }: { readonly id: ObjectId; readonly userId: ObjectId; readonly name: string },
): Promise<PasskeyRecord | undefined> {
  const { rows } = await tx.query<PasskeyRecord>(
    `update passkeys set name = $3 where id = $1 and user_id = $2 returning ${columns}`,
    [bytes(id), bytes(userId), name],
  )
  return rows[0]
}

/** Removes a passkey of a user; false if there is no such passkey. */
export async function deletePasskey(
  tx: Executor,
  { id, userId }: { readonly id: ObjectId; readonly userId: ObjectId },
): Promise<boolean> {
  const { rowCount } = await tx.query('delete from passkeys where id = $1 and user_id = $2', [bytes(id), bytes(userId)])
  return rowCount === 1
}

/** A challenge, for a user who adds a passkey, or for a sign-in of a user who is not known yet. */
export interface PasskeyChallenge {
  readonly hash: string
  readonly userId: ObjectId | null
}

export async function insertPasskeyChallenge(
  db: Executor,
  { hash, userId, lastsS }: PasskeyChallenge & { readonly lastsS: number },
): Promise<void> {
  await db.query(
    `insert into passkey_challenges (hash, user_id, expires_at) values ($1, $2, now() + $3 * interval '1 second')`,
    [bytes(hash), userId === null ? null : bytes(userId), lastsS],
  )
}

/** Consumes a valid challenge; false if there is no such challenge. */
export async function takePasskeyChallenge(db: Executor, { hash, userId }: PasskeyChallenge): Promise<boolean> {
  const { rowCount } = await db.query(
    'delete from passkey_challenges where hash = $1 and user_id is not distinct from $2 and expires_at > now()',
    [bytes(hash), userId === null ? null : bytes(userId)],
  )
  return rowCount === 1
}

/** Deletes expired challenges. */
export async function forgetPasskeyChallenges(db: Executor, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from passkey_challenges where hash in
       (select hash from passkey_challenges where expires_at <= now() limit $1)`,
    [limit],
  )
  return rowCount ?? 0
}
