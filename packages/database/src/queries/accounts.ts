import type { ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

export interface UserRecord {
  readonly id: ObjectId
  readonly name: string
  readonly createdAt: Date
}

/** An API key without its secret, which nobody but its holder has. */
export interface ApiKeyRecord {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly name: string
  readonly last4: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

export interface NewApiKey {
  readonly id: ObjectId
  readonly userId: ObjectId
  readonly name: string
  readonly hash: string
  readonly last4: string
  readonly scopes: readonly string[]
}

const keyColumns = `k.id, k.owner_id as "ownerId", k.user_id as "userId", k.name, k.last4, k.scopes,
  k.created_at as "createdAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"`

/** Adds a user together with the owner of its work: the same id today, a team's tomorrow. */
export async function insertUser(
  db: Executor,
  { id, name, slots }: { id: ObjectId; name: string; slots: number },
): Promise<UserRecord> {
  const { rows } = await db.query<UserRecord>(
    `with owner as (insert into owners (id, slots) values ($1, $3))
     insert into users (id, name) values ($1, $2) returning id, name, created_at as "createdAt"`,
    [bytes(id), name, slots],
  )
  const [user] = rows
  if (!user) throw new Error('the user was not stored')
  return user
}

export async function findUser(db: Executor, id: ObjectId): Promise<UserRecord | undefined> {
  const { rows } = await db.query<UserRecord>('select id, name, created_at as "createdAt" from users where id = $1', [
    bytes(id),
  ])
  return rows[0]
}

/** Adds a key for a user's own work; gives undefined if there is no such user. */
export async function insertApiKey(db: Executor, key: NewApiKey): Promise<ApiKeyRecord | undefined> {
  const { rows } = await db.query<ApiKeyRecord>(
    `insert into api_keys as k (id, owner_id, user_id, name, hash, last4, scopes)
     select $1, u.id, u.id, $3, $4, $5, $6 from users u where u.id = $2
     returning ${keyColumns}`,
    [bytes(key.id), bytes(key.userId), key.name, bytes(key.hash), key.last4, key.scopes],
  )
  return rows[0]
}

export interface FoundApiKey extends ApiKeyRecord {
  readonly hash: string
}

/** The key with one of these hashes, unless it was revoked. */
export async function findApiKey(db: Executor, hashes: readonly string[]): Promise<FoundApiKey | undefined> {
  const { rows } = await db.query<FoundApiKey>(
    `select ${keyColumns}, k.hash from api_keys k where k.hash = any($1::bytea[]) and k.revoked_at is null`,
    [manyBytes(hashes)],
  )
  return rows[0]
}

/** Writes a key's hash under another secret, if it is still what it was. */
export async function updateApiKeyHash(
  db: Executor,
  { id, from, to }: { readonly id: ObjectId; readonly from: string; readonly to: string },
): Promise<void> {
  await db.query('update api_keys set hash = $3 where id = $1 and hash = $2', [bytes(id), bytes(from), bytes(to)])
}

/** The keys of a user, newest first, revoked ones included. */
export async function listApiKeys(db: Executor, userId: ObjectId): Promise<readonly ApiKeyRecord[]> {
  const { rows } = await db.query<ApiKeyRecord>(
    `select ${keyColumns} from api_keys k where k.user_id = $1 order by k.id desc`,
    [bytes(userId)],
  )
  return rows
}

/** Ends a key for good; gives undefined if it is not there or was ended before. */
export async function revokeApiKey(db: Executor, id: ObjectId): Promise<ApiKeyRecord | undefined> {
  const { rows } = await db.query<ApiKeyRecord>(
    `update api_keys k set revoked_at = now() where k.id = $1 and k.revoked_at is null returning ${keyColumns}`,
    [bytes(id)],
  )
  return rows[0]
}

/** Notes that keys were used. */
export async function touchApiKeys(db: Executor, ids: readonly ObjectId[], usedAt: Date): Promise<void> {
  await db.query('update api_keys set last_used_at = $2 where id = any($1::bytea[])', [manyBytes(ids), usedAt])
}
