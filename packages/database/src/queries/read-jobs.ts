import { firstIdAt, type JobStatus, type ObjectId, oldestShownAt } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type Page, type Paging, readPage, slicesSince } from './page.ts'
import { withFiles } from './read-files.ts'
import { type JobRecord, jobColumns, type TaskRecord, taskColumns } from './rows.ts'

/** A job without its tasks. */
export type JobRow = Omit<JobRecord, 'tasks'>

/** One job of an owner with all its tasks, the deleted ones as tombstones. */
export async function findJob(
  db: Executor,
  { ownerId, id, now }: { ownerId: ObjectId; id: ObjectId; now: Date },
): Promise<JobRecord | undefined> {
  const { rows } = await db.query<JobRow>(
    `select ${jobColumns} from jobs j
      where j.id = $1 and j.owner_id = $2 and j.deleted_at is null and j.created_at > $3`,
    [bytes(id), bytes(ownerId), oldestShownAt(now)],
  )
  const [job] = await loadTasksOfJobs(db, rows)
  return job
}

/** The tasks of an owner's job, for what needs no more than their ids and operations. */
export async function findTasksOfJob(
  db: Executor,
  { ownerId, id, now }: { ownerId: ObjectId; id: ObjectId; now: Date },
): Promise<readonly Pick<TaskRecord, 'id' | 'operation'>[] | undefined> {
  const { rows: jobs } = await db.query(
    `select 1 from jobs j where j.id = $1 and j.owner_id = $2 and j.deleted_at is null and j.created_at > $3`,
    [bytes(id), bytes(ownerId), oldestShownAt(now)],
  )
  if (jobs.length === 0) return undefined
  const { rows } = await db.query<Pick<TaskRecord, 'id' | 'operation'>>(
    `select t.id, t.operation from tasks t where t.job_id = $1 and t.id >= $2 and t.id < $3 order by t.position`,
    [bytes(id), ...idRange([id])],
  )
  return rows
}

/** Some jobs of any owner with their tasks, including deleted ones: for the service itself, never for a caller. */
export async function findJobsById(db: Executor, ids: readonly ObjectId[]): Promise<readonly JobRecord[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<JobRow>(`select ${jobColumns} from jobs j where j.id = any($1::bytea[])`, [
    manyBytes(ids),
  ])
  return loadTasksOfJobs(db, rows)
}

export interface JobFilter extends Paging {
  readonly ownerId: ObjectId
  readonly now: Date
  readonly status?: JobStatus
  readonly tag?: string
  /** Created at this time or later. */
  readonly from?: Date
  /** Created before this time. */
  readonly to?: Date
}

/** A page of an owner's jobs, newest first, without their tasks. */
export async function listJobs(db: Executor, filter: JobFilter): Promise<Page<JobRow>> {
  const cutoff = oldestShownAt(filter.now)
  const where = [`j.owner_id = $1`, `j.created_at > $2`, `j.deleted_at is null`]
  const values: unknown[] = [bytes(filter.ownerId), cutoff]
  if (filter.status) where.push(`j.status = $${values.push(filter.status)}`)
  if (filter.tag !== undefined) where.push(`j.tag = $${values.push(filter.tag)}`)
  if (filter.from) where.push(`j.created_at >= $${values.push(filter.from)}`)
  if (filter.to) where.push(`j.created_at < $${values.push(filter.to)}`)
  return readPage<JobRow>(db, {
    table: 'jobs j',
    columns: jobColumns,
    key: 'j.id',
    where,
    values,
    slices: slicesSince(filter.from && filter.from > cutoff ? filter.from : cutoff, filter.now),
    countKey: JSON.stringify(['jobs', filter.ownerId, filter.status, filter.tag, filter.from, filter.to]),
    ...filter,
  })
}

/** Jobs with their tasks: up to 100 each, so only a few jobs at once. */
export async function loadTasksOfJobs(db: Executor, jobs: readonly JobRow[], mostFiles?: number): Promise<JobRecord[]> {
  const tasks = Map.groupBy(
    await tasksOfJobs(
      db,
      jobs.map(({ id }) => id),
      mostFiles,
    ),
    ({ jobId }) => jobId,
  )
  return jobs.map((job) => ({ ...job, tasks: tasks.get(job.id) ?? [] }))
}

async function tasksOfJobs(db: Executor, jobIds: readonly ObjectId[], mostFiles?: number): Promise<TaskRecord[]> {
  if (jobIds.length === 0) return []
  const { rows } = await db.query<Omit<TaskRecord, 'files'>>(
    `select ${taskColumns} from tasks t
      where t.job_id = any($1::bytea[]) and t.id >= $2 and t.id < $3
      order by t.job_id, t.position`,
    [manyBytes(jobIds), ...idRange(jobIds)],
  )
  return withFiles(db, rows, mostFiles)
}

/** All ids of a job share its second, so its tasks are in a known range and one partition. */
export function idRange(jobIds: readonly ObjectId[]): [string, string] {
  const seconds = jobIds.map((id) => Number.parseInt(id.slice(0, 8), 16) * 1000)
  return [bytes(firstIdAt(new Date(Math.min(...seconds)))), bytes(firstIdAt(new Date(Math.max(...seconds) + 1000)))]
}
