import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A token that may read one job. */
export interface JobTokenRecord {
  readonly id: ObjectId
  readonly jobId: ObjectId
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly name: string | null
  readonly last4: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
}

export interface NewJobToken extends Omit<JobTokenRecord, 'revokedAt'> {
  /** Hex. */
  readonly hash: string
  /** The generation of its owner's links: the token becomes invalid with them. */
  readonly linkGeneration: number
}

const columns = `k.id, k.job_id as "jobId", k.owner_id as "ownerId", k.user_id as "userId", k.name, k.last4,
  k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt"`

export async function insertJobToken(tx: Executor, token: NewJobToken): Promise<JobTokenRecord> {
  const { id, jobId, ownerId, userId, name, hash, last4, linkGeneration, createdAt, expiresAt } = token
  await tx.query(
    `insert into job_tokens (id, job_id, owner_id, user_id, name, hash, last4, link_generation, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[bytes(id), bytes(jobId), bytes(ownerId), bytes(userId), name, bytes(hash), last4, linkGeneration],
      ...[createdAt, expiresAt],
    ],
  )
  return { id, jobId, ownerId, userId, name, last4, createdAt, expiresAt, revokedAt: null }
}

/**
 * The token with this hash and the generation of its owner's links, unless it was revoked, has expired or is invalid.
 */
export async function findJobToken(
  db: Executor,
  { hash, now }: { readonly hash: string; readonly now: Date },
): Promise<(JobTokenRecord & { readonly linkGeneration: number }) | undefined> {
  const { rows } = await db.query<JobTokenRecord & { linkGeneration: number }>(
    `select ${columns}, o.link_generation as "linkGeneration"
       from job_tokens k join owners o on o.id = k.owner_id and o.link_generation = k.link_generation
      where k.hash = $1 and k.revoked_at is null and k.expires_at > $2`,
    [bytes(hash), now],
  )
  return rows[0]
}

interface OfJob {
  readonly ownerId: ObjectId
  readonly jobId: ObjectId
}

/** The tokens of a job, newest first, including those that no longer work. */
export async function listJobTokens(db: Executor, { ownerId, jobId }: OfJob): Promise<readonly JobTokenRecord[]> {
  const { rows } = await db.query<JobTokenRecord>(
    `select ${columns} from job_tokens k where k.job_id = $1 and k.owner_id = $2 order by k.id desc`,
    [bytes(jobId), bytes(ownerId)],
  )
  return rows
}

/** One token of an owner. */
export async function findJobTokenById(
  db: Executor,
  { ownerId, id }: { readonly ownerId: ObjectId; readonly id: ObjectId },
): Promise<JobTokenRecord | undefined> {
  const { rows } = await db.query<JobTokenRecord>(
    `select ${columns} from job_tokens k where k.id = $1 and k.owner_id = $2`,
    [bytes(id), bytes(ownerId)],
  )
  return rows[0]
}

/** Revokes a token; false if the job has no such token that works. */
export async function revokeJobToken(
  db: Executor,
  { ownerId, jobId, id }: OfJob & { readonly id: ObjectId },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job_tokens set revoked_at = now()
      where id = $1 and job_id = $2 and owner_id = $3 and revoked_at is null`,
    [bytes(id), bytes(jobId), bytes(ownerId)],
  )
  return rowCount === 1
}

/** Deletes tokens that expired before a time. */
export async function forgetJobTokens(db: Executor, before: Date): Promise<number> {
  return (await db.query(`delete from job_tokens where expires_at < $1`, [before])).rowCount ?? 0
}
