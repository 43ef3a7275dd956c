import type { ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** An object of the store. */
export interface ObjectOfTask {
  readonly key: string
  readonly taskId: ObjectId
  /** The attempt whose worker wrote it; undefined if an api process did. */
  readonly attempt: number | undefined
}

/**
 * The keys of those objects that nothing refers to and nothing will: no file and no part of an upload has the key, and
 * no open task can still commit it. The objects must be older than any request that writes an object before its task.
 */
export async function findUnreferenced(db: Executor, objects: readonly ObjectOfTask[]): Promise<readonly string[]> {
  const shown = [...new Set(objects.map(({ taskId }) => taskId))]
  // A separate statement, because known ids select their partitions. Objects of previews that are added after it are
  // not in the list yet.
  const previews = await db.query<{ id: ObjectId; of: ObjectId }>(
    `select preview_id as id, task_id as of from previews where task_id = any($1::bytea[])`,
    [manyBytes(shown)],
  )
  const { rows } = await db.query<{ key: string }>(
    `with named as (
       select key from files where task_id = any($1::bytea[])
       union all select key from upload_parts where task_id = any($1::bytea[])
     ), open as (
       select id, attempt from tasks where id = any($1::bytea[]) and status in ('created', 'processing')
     )
     select o.key from unnest($2::text[], $3::bytea[], $4::integer[]) as o (key, task_id, attempt)
      where o.key not in (select key from named)
        -- The outputs of an earlier attempt are refused.
        and not exists (select from open where open.id = o.task_id and (o.attempt is null or open.attempt <= o.attempt))
        -- A preview is stored under the task whose file it shows.
        and not exists (
          select from open join unnest($5::bytea[], $6::bytea[]) as p (id, task_id) on p.id = open.id
           where p.task_id = o.task_id)`,
    [
      manyBytes([...shown, ...previews.rows.map(({ id }) => id)]),
      objects.map(({ key }) => key),
      objects.map(({ taskId }) => bytes(taskId)),
      objects.map(({ attempt }) => attempt ?? null),
      previews.rows.map(({ id }) => bytes(id)),
      previews.rows.map(({ of }) => bytes(of)),
    ],
  )
  return rows.map(({ key }) => key)
}
