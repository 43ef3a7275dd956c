import type { ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type PlanInUse, planColumns } from './owner-plans.ts'
import { storedBytesSql } from './stored-bytes.ts'

export interface UserRecord {
  readonly id: ObjectId
  readonly name: string
  readonly createdAt: Date
}

/** An API key without its secret, which only its holder has. */
export interface ApiKeyRecord {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly name: string
  readonly last4: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** When it expires. */
  readonly expiresAt: Date | null
  /** IP addresses and ranges from which the key may be used; null for any. */
  readonly allowedIps: readonly string[] | null
  readonly revokedAt: Date | null
}

export interface NewApiKey {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly name: string
  readonly hash: string
  readonly last4: string
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
  readonly allowedIps: readonly string[] | null
}

const keyColumns = `k.id, k.owner_id as "ownerId", k.user_id as "userId", k.name, k.last4, k.scopes,
  k.created_at as "createdAt", k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt", k.allowed_ips as "allowedIps", k.revoked_at as "revokedAt"`

/** Adds a user together with the owner of its work, which has the same id. */
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

/** Adds a key of a user for the work of an owner; returns undefined if there is no such user. */
export async function insertApiKey(db: Executor, key: NewApiKey): Promise<ApiKeyRecord | undefined> {
  const { rows } = await db.query<ApiKeyRecord>(
    `insert into api_keys as k (id, owner_id, user_id, name, hash, last4, scopes, expires_at, allowed_ips)
     select $1, o.id, u.id, $3, $4, $5, $6, $7, $8 from users u, owners o where u.id = $2 and o.id = $9
     returning ${keyColumns}`,
    [
      ...[bytes(key.id), bytes(key.userId), key.name, bytes(key.hash), key.last4, key.scopes],
      ...[key.expiresAt, key.allowedIps, bytes(key.ownerId)],
    ],
  )
  return rows[0]
}

export interface FoundApiKey extends ApiKeyRecord {
  readonly hash: string
  /** The generation in links and forms of its owner. */
  readonly linkGeneration: number
}

/** The key with one of these hashes, unless it was revoked, has expired, or its user or owner is suspended. */
export async function findApiKey(db: Executor, hashes: readonly string[]): Promise<FoundApiKey | undefined> {
  const { rows } = await db.query<FoundApiKey>(
    `select ${keyColumns}, k.hash, o.link_generation as "linkGeneration"
       from api_keys k join owners o on o.id = k.owner_id left join owners p on p.id = k.user_id
      where k.hash = any($1::bytea[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        and o.suspended_at is null and p.suspended_at is null`,
    [manyBytes(hashes)],
  )
  return rows[0]
}

/** Replaces a key's hash with one from another secret, if it is unchanged. */
export async function updateApiKeyHash(
  db: Executor,
  { id, from, to }: { readonly id: ObjectId; readonly from: string; readonly to: string },
): Promise<void> {
  await db.query('update api_keys set hash = $3 where id = $1 and hash = $2', [bytes(id), bytes(from), bytes(to)])
}

/** The keys of an owner, newest first, including revoked ones. */
export async function listApiKeys(db: Executor, ownerId: ObjectId): Promise<readonly ApiKeyRecord[]> {
  const { rows } = await db.query<ApiKeyRecord>(
    `select ${keyColumns} from api_keys k where k.owner_id = $1 order by k.created_at desc, k.id desc`,
    [bytes(ownerId)],
  )
  return rows
}

/** The keys that a user has created for any owner and that are not revoked, by owner. */
export async function listKeysOfUser(db: Executor, userId: ObjectId): Promise<readonly ApiKeyRecord[]> {
  const { rows } = await db.query<ApiKeyRecord>(
    `select ${keyColumns} from api_keys k where k.user_id = $1 and k.revoked_at is null order by k.owner_id, k.id`,
    [bytes(userId)],
  )
  return rows
}

/** The key of an owner, revoked or not. */
export async function findKeyOfOwner(
  db: Executor,
  { ownerId, id }: { readonly ownerId: ObjectId; readonly id: ObjectId },
): Promise<ApiKeyRecord | undefined> {
  const { rows } = await db.query<ApiKeyRecord>(
    `select ${keyColumns} from api_keys k where k.id = $1 and k.owner_id = $2`,
    [bytes(id), bytes(ownerId)],
  )
  return rows[0]
}

/** Changes to a key; what is not given stays unchanged. */
export interface ApiKeyChange {
  readonly ownerId: ObjectId
  readonly id: ObjectId
  readonly name?: string
  /** Null for any IP address. */
  readonly allowedIps?: readonly string[] | null
}

/** Changes a key that is not revoked; undefined if the owner has no such key. */
export async function updateApiKey(
  db: Executor,
  { ownerId, id, name, allowedIps }: ApiKeyChange,
): Promise<ApiKeyRecord | undefined> {
  const { rows } = await db.query<ApiKeyRecord>(
    `update api_keys k set name = coalesce($3, name), allowed_ips = case when $4 then $5 else allowed_ips end
      where k.id = $1 and k.owner_id = $2 and k.revoked_at is null
     returning ${keyColumns}`,
    [bytes(id), bytes(ownerId), name ?? null, allowedIps !== undefined, allowedIps ?? null],
  )
  return rows[0]
}

/** How many keys of an owner work. The caller has locked the owner, so that none is added meanwhile. */
export async function countKeys(tx: Executor, ownerId: ObjectId): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from api_keys k
      where k.owner_id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [bytes(ownerId)],
  )
  return rows[0]?.count ?? 0
}

/** An account: the user, its plan, and how much of it is used. */
export interface AccountRecord extends UserRecord, PlanInUse {
  readonly openTasks: number
  readonly slotsUsed: number
  readonly backlog: number
  readonly storedBytes: number
}

export async function findAccount(db: Executor, ownerId: ObjectId): Promise<AccountRecord | undefined> {
  const { rows } = await db.query<AccountRecord>(
    `select o.id, coalesce(t.name, u.name) as name, coalesce(t.created_at, u.created_at) as "createdAt", ${planColumns}, o.open_tasks as "openTasks",
            o.slots_used as "slotsUsed", o.backlog, ${storedBytesSql('o.id')}::float8 as "storedBytes"
       from owners o left join users u on u.id = o.id left join teams t on t.owner_id = o.id
      where o.id = $1 and (u.id is not null or t.owner_id is not null)`,
    [bytes(ownerId)],
  )
  return rows[0]
}

export interface Revoking {
  readonly id: ObjectId
  readonly keepLinks: boolean
  /** Its required owner; any owner if not given. */
  readonly ownerId?: ObjectId | undefined
}

/**
 * Revokes a key, and with it the links and forms of its owner unless `keepLinks`; returns undefined if there is no such
 * key or it was revoked before.
 */
export async function revokeApiKey(
  db: Executor,
  { id, keepLinks, ownerId }: Revoking,
): Promise<ApiKeyRecord | undefined> {
  const { rows } = await db.query<ApiKeyRecord>(
    `with revoked as (
       update api_keys k set revoked_at = now()
        where k.id = $1 and k.revoked_at is null and ($3::bytea is null or k.owner_id = $3) returning ${keyColumns}),
     voided as (
       update owners set link_generation = link_generation + 1
        where id = (select "ownerId" from revoked) and not $2)
     select * from revoked`,
    [bytes(id), keepLinks, ownerId === undefined ? null : bytes(ownerId)],
  )
  return rows[0]
}

/** Records when keys were last used. */
export async function touchApiKeys(db: Executor, ids: readonly ObjectId[], usedAt: Date): Promise<void> {
  await db.query('update api_keys set last_used_at = $2 where id = any($1::bytea[])', [manyBytes(ids), usedAt])
}
