import type { ObjectId, OwnerRole } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A browser that is signed in, or about to be. */
export interface SessionRecord {
  readonly id: ObjectId
  readonly userId: ObjectId
  /** The owner that its tokens act for unless they name another; null for its user. */
  readonly ownerId: ObjectId | null
  /** The second factor that is still missing. */
  readonly pending: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly idleS: number
  readonly address: string
  readonly userAgent: string
}

export interface NewSession {
  readonly id: ObjectId
  readonly userId: ObjectId
  readonly hash: string
  readonly idleS: number
  readonly lastsS: number
  readonly pending: string | null
  readonly address: string
  readonly userAgent: string
}

const columns = `s.id, s.user_id as "userId", s.owner_id as "ownerId", s.pending, s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
  s.expires_at as "expiresAt", s.idle_s as "idleS", s.address, s.user_agent as "userAgent"`

const isAlive = `s.expires_at > now() and s.last_used_at + s.idle_s * interval '1 second' > now()`
const isAllowed = `not exists (select from owners p where p.id = s.user_id and p.suspended_at is not null)`

/** Opens a session; undefined if its user is suspended. */
export async function insertSession(db: Executor, session: NewSession): Promise<SessionRecord | undefined> {
  const { id, userId, hash, idleS, lastsS, pending, address, userAgent } = session
  const { rows } = await db.query<SessionRecord>(
    `insert into sessions as s (id, user_id, hash, idle_s, expires_at, pending, address, user_agent, confirmed_at)
     select $1, p.id, $3, $4, now() + $5 * interval '1 second', $6, $7, $8, case when $6::text is null then now() end
       from owners p where p.id = $2 and p.suspended_at is null
     returning ${columns}`,
    [bytes(id), bytes(userId), bytes(hash), idleS, lastsS, pending, address, userAgent],
  )
  return rows[0]
}

/** The session of a cookie, unless it has ended or its user is suspended. */
export async function findSession(db: Executor, hash: string): Promise<SessionRecord | undefined> {
  const { rows } = await db.query<SessionRecord>(
    `select ${columns} from sessions s where s.hash = $1 and ${isAlive} and ${isAllowed}`,
    [bytes(hash)],
  )
  return rows[0]
}

/** Records that a session was used, which postpones its idle timeout. */
export async function touchSession(db: Executor, id: ObjectId): Promise<void> {
  await db.query('update sessions set last_used_at = now() where id = $1', [bytes(id)])
}

/** Records that the user of a session has proved who they are. */
export async function confirmSession(db: Executor, id: ObjectId): Promise<void> {
  await db.query('update sessions set confirmed_at = now() where id = $1', [bytes(id)])
}

/** Whether the user of a session has proved who they are within the last seconds. */
export async function isSessionConfirmed(
  db: Executor,
  { id, withinS }: { readonly id: ObjectId; readonly withinS: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from sessions where id = $1 and confirmed_at > now() - $2 * interval '1 second'`,
    [bytes(id), withinS],
  )
  return rowCount === 1
}

/** Gives a session a new cookie and marks its second factor as passed; false if it has ended. */
export async function renewSession(
  db: Executor,
  { id, hash }: { readonly id: ObjectId; readonly hash: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sessions s set hash = $2, pending = null, last_used_at = now() where s.id = $1 and ${isAlive}`,
    [bytes(id), bytes(hash)],
  )
  return rowCount === 1
}

/** Sets the owner that the tokens of a session act for. */
export async function updateSessionOwner(
  db: Executor,
  { id, ownerId }: { readonly id: ObjectId; readonly ownerId: ObjectId | null },
): Promise<void> {
  await db.query('update sessions set owner_id = $2 where id = $1', [
    bytes(id),
    ownerId === null ? null : bytes(ownerId),
  ])
}

/** The signed-in sessions of a user, the last used first. */
export async function listSessions(db: Executor, userId: ObjectId): Promise<readonly SessionRecord[]> {
  const { rows } = await db.query<SessionRecord>(
    `select ${columns} from sessions s where s.user_id = $1 and s.pending is null and ${isAlive}
      order by s.last_used_at desc, s.id desc`,
    [bytes(userId)],
  )
  return rows
}

/** Ends a session of a user; false if the user has no such session. */
export async function deleteSession(
  db: Executor,
  { id, userId }: { readonly id: ObjectId; readonly userId: ObjectId },
): Promise<boolean> {
  const { rowCount } = await db.query('delete from sessions where id = $1 and user_id = $2', [bytes(id), bytes(userId)])
  return rowCount === 1
}

/** Ends all sessions of a user, or all except one. */
export async function deleteSessionsOf(db: Executor, userId: ObjectId, but?: ObjectId): Promise<number> {
  const { rowCount } = await db.query('delete from sessions where user_id = $1 and ($2::bytea is null or id <> $2)', [
    bytes(userId),
    but === undefined ? null : bytes(but),
  ])
  return rowCount ?? 0
}

/** Ends all sessions of a user except the `keep` most recently used. */
export async function deleteOldestSessions(db: Executor, userId: ObjectId, keep: number): Promise<void> {
  await db.query(
    `delete from sessions where user_id = $1 and id in
       (select id from sessions where user_id = $1 order by last_used_at desc, id desc offset $2)`,
    [bytes(userId), keep],
  )
}

/** Deletes sessions that have expired. */
export async function forgetSessions(db: Executor, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from sessions where id in (select s.id from sessions s where not (${isAlive}) limit $1)`,
    [limit],
  )
  return rowCount ?? 0
}

/** The owner that a session may act for, and its role. */
export interface SessionActor {
  readonly userId: ObjectId
  readonly ownerId: ObjectId
  readonly role: OwnerRole
  readonly isAnonymous: boolean
  readonly linkGeneration: number
}

/**
 * The actor of a session for an owner: undefined if the session has ended or lacks a second factor, its user is not a
 * member, or the user or the owner is suspended.
 */
export async function findActor(
  db: Executor,
  { sessionId, ownerId }: { readonly sessionId: ObjectId; readonly ownerId: ObjectId },
): Promise<SessionActor | undefined> {
  const { rows } = await db.query<SessionActor>(
    `select s.user_id as "userId", o.id as "ownerId", coalesce(m.role, 'owner') as role,
            a.owner_id is not null as "isAnonymous", o.link_generation as "linkGeneration"
       from sessions s
       join owners o on o.id = $2
       left join memberships m on m.owner_id = o.id and m.user_id = s.user_id
       left join anonymous_owners a on a.owner_id = o.id
      where s.id = $1 and s.pending is null and (o.id = s.user_id or m.user_id is not null) and ${isAlive}
        and ${isAllowed} and o.suspended_at is null`,
    [bytes(sessionId), bytes(ownerId)],
  )
  return rows[0]
}

/** An owner that a user may act for. */
export interface ActableOwner {
  readonly id: ObjectId
  readonly name: string
  readonly kind: 'person' | 'team' | 'anonymous'
  readonly role: OwnerRole
}

/** The owners that a user may act for: itself, then its teams by name. */
export async function listActableOwners(db: Executor, userId: ObjectId): Promise<readonly ActableOwner[]> {
  const { rows } = await db.query<ActableOwner>(
    `select u.id, u.name, case when a.owner_id is null then 'person' else 'anonymous' end as kind, 'owner' as role
       from users u left join anonymous_owners a on a.owner_id = u.id where u.id = $1
     union all
     (select t.owner_id, t.name, 'team', m.role from memberships m join teams t on t.owner_id = m.owner_id
       where m.user_id = $1 order by t.name, t.owner_id)`,
    [bytes(userId)],
  )
  return rows
}
