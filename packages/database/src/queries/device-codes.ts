import type { ObjectId, OwnerRole } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A sign-in of a program that a person approves in the web app. */
export interface DeviceCodeRecord {
  /** The name that the program gave. */
  readonly name: string
  /** The IP address of its request. */
  readonly address: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date
}

export interface NewDeviceCode extends Pick<DeviceCodeRecord, 'name' | 'address' | 'scopes'> {
  readonly deviceHash: string
  readonly userHash: string
  readonly intervalS: number
  readonly lastsS: number
}

/** Who approves or denies a sign-in, and for which owner. */
export interface DeviceDecider {
  readonly userId: ObjectId
  readonly ownerId: ObjectId
  readonly sessionId: ObjectId
}

/** The state of a sign-in for the program that polls. */
export type PolledDeviceCode =
  | { readonly status: 'pending'; readonly isTooFast: boolean }
  | ({ readonly status: 'approved' } & DeviceDecider & Pick<DeviceCodeRecord, 'name' | 'scopes'>)
  | { readonly status: 'denied' }
  | { readonly status: 'used' }

const columns = `d.name, d.address, d.scopes, d.created_at as "createdAt", d.expires_at as "expiresAt"`

/** Stores a new code; undefined if another has the same user code. */
export async function insertDeviceCode(db: Executor, code: NewDeviceCode): Promise<DeviceCodeRecord | undefined> {
  const { deviceHash, userHash, name, address, scopes, intervalS, lastsS } = code
  const { rows } = await db.query<DeviceCodeRecord>(
    `insert into device_codes as d (device_hash, user_hash, name, address, scopes, interval_s, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')
     on conflict (user_hash) do nothing returning ${columns}`,
    [bytes(deviceHash), bytes(userHash), name, address, scopes, intervalS, lastsS],
  )
  return rows[0]
}

/** The pending sign-in with one of these hashes of its user code. */
export async function findPendingDeviceCode(
  db: Executor,
  userHashes: readonly string[],
): Promise<DeviceCodeRecord | undefined> {
  const { rows } = await db.query<DeviceCodeRecord>(
    `select ${columns} from device_codes d
      where d.user_hash = any($1::bytea[]) and d.status = 'pending' and d.expires_at > now()`,
    [manyBytes(userHashes)],
  )
  return rows[0]
}

/** Approves or denies a sign-in; undefined if it is no longer pending. */
export async function decideDeviceCode(
  tx: Executor,
  userHashes: readonly string[],
  { status, userId, ownerId, sessionId }: DeviceDecider & { readonly status: 'approved' | 'denied' },
): Promise<DeviceCodeRecord | undefined> {
  const { rows } = await tx.query<DeviceCodeRecord>(
    `update device_codes d set status = $2, user_id = $3, owner_id = $4, session_id = $5
      where d.user_hash = any($1::bytea[]) and d.status = 'pending' and d.expires_at > now() returning ${columns}`,
    [manyBytes(userHashes), status, bytes(userId), bytes(ownerId), bytes(sessionId)],
  )
  return rows[0]
}

// A client that waits exactly the interval may arrive a little early.
const toleranceS = 1
const slowDownS = 5
const longestIntervalS = 300

/**
 * Records a poll, and extends the interval if it came too early; undefined if there is no such code, or it has expired.
 */
export async function pollDeviceCode(db: Executor, deviceHash: string): Promise<PolledDeviceCode | undefined> {
  const { rows } = await db.query<PolledDeviceCode>(
    `with found as (
       select device_hash, status = 'pending' and polled_at > now() - (interval_s - $2) * interval '1 second' as early
         from device_codes where device_hash = $1 and expires_at > now() for no key update)
     update device_codes d
        set polled_at = now(), interval_s = case when f.early then least(d.interval_s + $3, $4) else d.interval_s end
       from found f where d.device_hash = f.device_hash
     returning d.status, coalesce(f.early, false) as "isTooFast", d.user_id as "userId", d.owner_id as "ownerId",
       d.session_id as "sessionId", d.name, d.scopes`,
    [bytes(deviceHash), toleranceS, slowDownS, longestIntervalS],
  )
  return rows[0]
}

/** Denies what a user has approved and no program has fetched yet. */
export async function withdrawDeviceCodes(tx: Executor, userId: ObjectId): Promise<void> {
  await tx.query(`update device_codes set status = 'denied' where user_id = $1 and status = 'approved'`, [
    bytes(userId),
  ])
}

/** Marks an approved code as used; false if it was used or has expired meanwhile. */
export async function useDeviceCode(tx: Executor, deviceHash: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update device_codes set status = 'used' where device_hash = $1 and status = 'approved' and expires_at > now()`,
    [bytes(deviceHash)],
  )
  return rowCount === 1
}

/** The role of a user with a login in an owner; undefined if there is none, or if either is suspended. */
export async function findRoleOfPerson(
  db: Executor,
  { userId, ownerId }: Pick<DeviceDecider, 'userId' | 'ownerId'>,
): Promise<OwnerRole | undefined> {
  const { rows } = await db.query<{ role: OwnerRole }>(
    `select coalesce(m.role, 'owner') as role
       from logins l
       join owners p on p.id = l.user_id
       join owners o on o.id = $2
       left join memberships m on m.owner_id = o.id and m.user_id = l.user_id
      where l.user_id = $1 and (o.id = l.user_id or m.user_id is not null)
        and p.suspended_at is null and o.suspended_at is null`,
    [bytes(userId), bytes(ownerId)],
  )
  return rows[0]?.role
}

/** Deletes codes that have expired. */
export async function forgetDeviceCodes(db: Executor, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    'delete from device_codes where device_hash in (select device_hash from device_codes where expires_at <= now() limit $1)',
    [limit],
  )
  return rowCount ?? 0
}
