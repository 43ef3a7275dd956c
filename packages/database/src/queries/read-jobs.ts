import { firstIdAt, type JobStatus, type ObjectId, oldestShownAt } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { oldestIdShown, type Page, type Paging, readPage } from './page.ts'
import { withFiles } from './read-files.ts'
import { type JobRecord, jobColumns, type TaskRecord, taskColumns } from './rows.ts'

type JobRow = Omit<JobRecord, 'tasks'>

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
  const [job] = await withTasks(db, rows)
  return job
}

/** Some jobs with their tasks, whoever owns them, the deleted too: for the service itself, never for a caller. */
export async function findJobsById(db: Executor, ids: readonly ObjectId[]): Promise<readonly JobRecord[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<JobRow>(`select ${jobColumns} from jobs j where j.id = any($1::bytea[])`, [
    manyBytes(ids),
  ])
  return withTasks(db, rows)
}

export interface JobFilter extends Paging {
  readonly ownerId: ObjectId
  readonly now: Date
  readonly status?: JobStatus
  readonly tag?: string
  readonly includeTasks: boolean
}

/** A page of an owner's jobs, newest first, with their tasks if asked. */
export async function listJobs(db: Executor, filter: JobFilter): Promise<Page<JobRecord>> {
  const cutoff = oldestShownAt(filter.now)
  const where = [`j.owner_id = $1`, `j.id >= $2`, `j.created_at > $3`, `j.deleted_at is null`]
  const values: unknown[] = [bytes(filter.ownerId), bytes(oldestIdShown(cutoff)), cutoff]
  if (filter.status) where.push(`j.status = $${values.push(filter.status)}`)
  if (filter.tag !== undefined) where.push(`j.tag = $${values.push(filter.tag)}`)
  const page = await readPage<JobRow>(db, {
    table: 'jobs j',
    columns: jobColumns,
    key: 'j.id',
    where,
    values,
    countKey: JSON.stringify(['jobs', filter.ownerId, filter.status, filter.tag]),
    ...filter,
  })
  const docs = filter.includeTasks ? await withTasks(db, page.docs) : page.docs.map((job) => ({ ...job, tasks: [] }))
  return { ...page, docs }
}

async function withTasks(db: Executor, jobs: readonly JobRow[]): Promise<JobRecord[]> {
  const tasks = Map.groupBy(
    await tasksOfJobs(
      db,
      jobs.map(({ id }) => id),
    ),
    ({ jobId }) => jobId,
  )
  return jobs.map((job) => ({ ...job, tasks: tasks.get(job.id) ?? [] }))
}

async function tasksOfJobs(db: Executor, jobIds: readonly ObjectId[]): Promise<TaskRecord[]> {
  if (jobIds.length === 0) return []
  const { rows } = await db.query<Omit<TaskRecord, 'files'>>(
    `select ${taskColumns} from tasks t
      where t.job_id = any($1::bytea[]) and t.id >= $2 and t.id < $3
      order by t.job_id, t.position`,
    [manyBytes(jobIds), ...idRange(jobIds)],
  )
  return withFiles(db, rows)
}

/** All ids of a job share its second, so its tasks lie in a known range and one partition. */
export function idRange(jobIds: readonly ObjectId[]): [string, string] {
  const seconds = jobIds.map((id) => Number.parseInt(id.slice(0, 8), 16) * 1000)
  return [bytes(firstIdAt(new Date(Math.min(...seconds)))), bytes(firstIdAt(new Date(Math.max(...seconds) + 1000)))]
}
