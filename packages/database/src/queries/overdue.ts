import type { ObjectId } from '@lathe/domain'
import { uploadOperations } from '@lathe/operations'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A task that is still open after its time limit. */
export interface Overdue {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  readonly jobId: ObjectId | null
  /** Whether it waits for other tasks: it ends with them. */
  readonly isWaiting: boolean
}

interface Range {
  readonly since: ObjectId
  readonly before: ObjectId
  readonly limit: number
}

const overdueSql = (
  condition: string,
) => `select id, owner_id as "ownerId", job_id as "jobId", pending > 0 as "isWaiting" from tasks
  where id >= $1 and id < $2 and status in ('created', 'processing') ${condition} order by id limit $3`

/** Tasks created before a time that are still open, the oldest first. */
export async function findOpenBefore(db: Executor, { since, before, limit }: Range): Promise<Overdue[]> {
  return (await db.query<Overdue>(overdueSql(''), [bytes(since), bytes(before), limit])).rows
}

/**
 * Upload tasks created before a time that still wait for their file, the oldest first; without those that received a
 * part after it.
 */
export async function findUploadsBefore(
  db: Executor,
  { since, before, limit, movedBefore }: Range & { readonly movedBefore: Date },
): Promise<Overdue[]> {
  const sql = overdueSql(`and operation = any($5) and not exists
    (select from resumable_uploads u where u.task_id = tasks.id and u.moved_at >= $4)`)
  return (await db.query<Overdue>(sql, [bytes(since), bytes(before), limit, movedBefore, uploadOperations])).rows
}
