import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import type { SealedWebhook } from './webhooks.ts'

export interface JobWebhook {
  readonly jobId: ObjectId
  readonly ownerId: ObjectId
  /** Hex: the URL, sealed for the job. */
  readonly sealed: string
}

/** Stores the `webhook_url` of a job. Written before the job's first event, which is also sent there. */
export async function insertJobWebhook(tx: Executor, { jobId, ownerId, sealed }: JobWebhook): Promise<void> {
  await tx.query(`insert into job_webhooks (job_id, owner_id, sealed) values ($1, $2, decode($3, 'hex'))`, [
    bytes(jobId),
    bytes(ownerId),
    sealed,
  ])
}

export async function findJobWebhook(db: Executor, jobId: ObjectId): Promise<JobWebhook | undefined> {
  const { rows } = await db.query<JobWebhook>(
    `select job_id as "jobId", owner_id as "ownerId", sealed from job_webhooks where job_id = $1`,
    [bytes(jobId)],
  )
  return rows[0]
}

/** Stops deliveries of this job to its `webhook_url`. */
export async function deleteJobWebhook(tx: Executor, jobId: ObjectId): Promise<void> {
  await tx.query(`delete from job_webhooks where job_id = $1`, [bytes(jobId)])
}

/** URLs of jobs in the order of the jobs' ids, after the given one. */
export async function findSealedJobWebhooks(
  db: Executor,
  { after, limit }: { readonly after: ObjectId; readonly limit: number },
): Promise<readonly SealedWebhook[]> {
  const { rows } = await db.query<SealedWebhook>(
    `select job_id as id, sealed from job_webhooks where job_id > $1 order by job_id limit $2`,
    [bytes(after), limit],
  )
  return rows
}

/** Replaces the sealed value, if it is still the one that was read. */
export async function replaceJobWebhookSeal(
  db: Executor,
  { id, sealed }: SealedWebhook,
  resealed: string,
): Promise<void> {
  await db.query(
    `update job_webhooks set sealed = decode($3, 'hex') where job_id = $1 and sealed = decode($2, 'hex')`,
    [bytes(id), sealed, resealed],
  )
}
