import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** Open tasks made before a time, oldest first. */
export async function findOpenBefore(
  db: Executor,
  { since, before, limit }: { since: ObjectId; before: ObjectId; limit: number },
): Promise<ObjectId[]> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `select id from tasks where id >= $1 and id < $2 and status in ('created', 'processing') order by id limit $3`,
    [bytes(since), bytes(before), limit],
  )
  return rows.map(({ id }) => id)
}

/** Upload tasks made before a time that still wait for their file. */
export async function findUploadsBefore(
  db: Executor,
  { since, before, limit }: { since: ObjectId; before: ObjectId; limit: number },
): Promise<ObjectId[]> {
  const { rows } = await db.query<{ id: ObjectId }>(
    `select id from tasks
      where id >= $1 and id < $2 and status in ('created', 'processing') and operation = 'import/upload'
      order by id limit $3`,
    [bytes(since), bytes(before), limit],
  )
  return rows.map(({ id }) => id)
}
