import type { ObjectId } from '@lathe/domain'
import type { Payload } from '@lathe/operations'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type FileRecord, fileColumns, type TaskRecord } from './rows.ts'

type FileRow = FileRecord & { readonly taskId: ObjectId }

/** The files of some tasks, by task, in their order. */
export async function filesOf(
  db: Executor,
  taskIds: readonly ObjectId[],
): Promise<ReadonlyMap<ObjectId, FileRecord[]>> {
  if (taskIds.length === 0) return new Map()
  const { rows } = await db.query<FileRow>(
    `select ${fileColumns} from files f where f.task_id = any($1::bytea[]) order by f.task_id, f.n`,
    [manyBytes(taskIds)],
  )
  return Map.groupBy(rows, ({ taskId }) => taskId)
}

/** Task rows with their files. */
export async function withFiles<T extends Omit<TaskRecord, 'files'>>(
  db: Executor,
  rows: readonly T[],
): Promise<TaskRecord[]> {
  const files = await filesOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, files: files.get(row.id) ?? [] }))
}

/** The files that a signed link points to. */
export interface LinkedFiles {
  readonly ownerId: ObjectId
  readonly files: readonly FileRecord[]
  readonly payload: Payload
  readonly name: string
  readonly createdAt: Date
  /** The generation that a link must have. */
  readonly linkGeneration: number
}

/**
 * The files of a completed task, for any holder of a link. The caller has checked the signature; expiry and deletion
 * are checked here.
 */
export async function findLinkedFiles(
  db: Executor,
  { taskId, now }: { taskId: ObjectId; now: Date },
): Promise<LinkedFiles | undefined> {
  const { rows } = await db.query<Omit<LinkedFiles, 'files'>>(
    `select t.owner_id as "ownerId", t.payload, t.name, t.created_at as "createdAt", o.link_generation as "linkGeneration"
       from tasks t join owners o on o.id = t.owner_id where t.id = $1 and t.status = 'completed'`,
    [bytes(taskId)],
  )
  const [task] = rows
  if (!task) return undefined
  const files = (await filesOf(db, [taskId])).get(taskId) ?? []
  return { ...task, files: files.filter(({ expiresAt, deletedAt }) => !deletedAt && expiresAt > now) }
}
