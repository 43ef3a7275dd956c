import type { ObjectId } from '@lathe/domain'
import type { Payload } from '@lathe/operations'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type FileRecord, fileColumns, type TaskRecord } from './rows.ts'

type FileRow = FileRecord & { readonly taskId: ObjectId }

/** Which files of each task to read, by their position. */
interface FileRange {
  readonly from?: number
  /** Exclusive. */
  readonly to?: number
}

const all = 2 ** 31 - 1

/** The files of some tasks, by task, in their order. */
export async function filesOf(
  db: Executor,
  taskIds: readonly ObjectId[],
  { from = 0, to = all }: FileRange = {},
): Promise<ReadonlyMap<ObjectId, FileRecord[]>> {
  if (taskIds.length === 0) return new Map()
  const { rows } = await db.query<FileRow>(
    `select ${fileColumns} from files f where f.task_id = any($1::bytea[]) and f.n >= $2 and f.n < $3
      order by f.task_id, f.n`,
    [manyBytes(taskIds), from, to],
  )
  return Map.groupBy(rows, ({ taskId }) => taskId)
}

// Files of a task that a view shows, and files of all tasks that are read for one answer.
const mostOfTask = 100
const mostOfAnswer = 1000

/** Task rows with the files that views show: the first ones, and fewer of each task the more tasks there are. */
export async function withFiles<T extends Omit<TaskRecord, 'files'>>(
  db: Executor,
  rows: readonly T[],
  most = mostOfAnswer,
): Promise<TaskRecord[]> {
  const ids = rows.map(({ id }) => id)
  const shown = Math.max(1, Math.min(mostOfTask, Math.floor(most / rows.length)))
  // One more tells whether there are more.
  const files = await filesOf(db, ids, { to: shown + 1 })
  const cut = ids.filter((id) => (files.get(id)?.length ?? 0) > shown)
  const totals = await countFiles(db, cut)
  return rows.map((row) => {
    const own = files.get(row.id) ?? []
    const total = totals.get(row.id)
    return { ...row, files: own.slice(0, shown), ...(total !== undefined && { filesTotal: total }) }
  })
}

/** How many files tasks have. Files are numbered without gaps, so only the last one of each is read. */
export async function countFiles(db: Executor, taskIds: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, number>> {
  if (taskIds.length === 0) return new Map()
  const [first = '', last = first] = [taskIds.toSorted()[0], taskIds.toSorted().at(-1)]
  // Sent without a name, so that it is planned for these ids and locks only the partitions they are in.
  const { rows } = await db.query<{ taskId: ObjectId; total: number }>({
    text: `select t.id as "taskId", l.n + 1 as total from unnest($1::bytea[]) as t(id)
       cross join lateral (select f.n from files f
         where f.task_id = t.id and f.task_id >= $2 and f.task_id <= $3 order by f.n desc limit 1) l`,
    values: [manyBytes(taskIds), bytes(first), bytes(last)],
  })
  return new Map(rows.map(({ taskId, total }) => [taskId, total]))
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
 * The files of a completed task, or one of them, for any holder of a link. The caller has checked the signature; expiry and deletion
 * are checked here.
 */
export async function findLinkedFiles(
  db: Executor,
  { taskId, n, now }: { taskId: ObjectId; n?: number; now: Date },
): Promise<LinkedFiles | undefined> {
  const { rows } = await db.query<Omit<LinkedFiles, 'files'>>(
    `select t.owner_id as "ownerId", t.payload, t.name, t.created_at as "createdAt", o.link_generation as "linkGeneration"
       from tasks t join owners o on o.id = t.owner_id where t.id = $1 and t.status = 'completed'`,
    [bytes(taskId)],
  )
  const [task] = rows
  if (!task) return undefined
  const range = n === undefined ? {} : { from: n, to: n + 1 }
  const files = (await filesOf(db, [taskId], range)).get(taskId) ?? []
  return { ...task, files: files.filter(({ expiresAt, deletedAt }) => !deletedAt && expiresAt > now) }
}
