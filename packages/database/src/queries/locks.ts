import type { EngineFamily, JobStatus, ObjectId, TaskStatus } from '@lathe/domain'
import type { GivenOptions, Operation } from '@lathe/operations'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/**
 * The lock order, everywhere: owner, then jobs by id, then tasks by id.
 *
 * A transaction that adds or moves tasks of an owner locks the owner's row, so what it reads afterwards, especially
 * edges, cannot change before the commit. A claim does not need the owner: it locks the job and the task.
 */
export interface LockedOwner {
  readonly id: ObjectId
  readonly slots: number
  readonly slotsUsed: number
  readonly backlog: number
  /** Its tasks that have not ended. */
  readonly openTasks: number
  readonly hasWebhooks: boolean
}

export interface LockedJob {
  readonly id: ObjectId
  readonly status: JobStatus
  readonly remaining: number
  readonly seq: number
}

export interface LockedTask {
  readonly id: ObjectId
  readonly jobId: ObjectId | null
  readonly ownerId: ObjectId
  readonly operation: Operation
  readonly pool: string
  readonly dependsOn: readonly ObjectId[]
  /** The output format and the options, which decide the engines. */
  readonly to: string | null
  readonly options: GivenOptions | null
  readonly needs: EngineFamily | null
  readonly status: TaskStatus
  readonly pending: number
  readonly slot: boolean
  readonly attempt: number
  readonly failures: number
  readonly workerDeaths: number
  readonly workerId: ObjectId | null
  /** The engine time, as far as its worker has reported it. */
  readonly engineMs: number
  readonly seq: number
  /** The file of its input that it previews; null for tasks of clients. */
  readonly previewFile: number | null
  readonly createdAt: Date
}

const ownerColumns = `o.id, o.slots, o.slots_used as "slotsUsed", o.backlog, o.open_tasks as "openTasks", o.has_webhooks as "hasWebhooks"`
const jobColumns = `id, status, remaining, seq`
const taskColumns = `id, job_id as "jobId", owner_id as "ownerId", operation, pool, depends_on as "dependsOn",
  payload ->> 'output_format' as "to", payload -> 'options' as options, needs, status, pending, slot, attempt,
  failures, worker_deaths as "workerDeaths", worker_id as "workerId",
  case when engine_at <= now() then extract(epoch from now() - engine_at)::float8 * 1000 else 0 end as "engineMs", seq,
  preview_file as "previewFile", created_at as "createdAt"`

export async function lockOwner(tx: Executor, ownerId: ObjectId): Promise<LockedOwner | undefined> {
  const { rows } = await tx.query<LockedOwner>(
    `select ${ownerColumns} from owners o where o.id = $1 for no key update`,
    [bytes(ownerId)],
  )
  return rows[0]
}

/** Locks the owner of a task and returns the job of the task: neither ever changes. */
export async function lockOwnerOfTask(
  tx: Executor,
  taskId: ObjectId,
): Promise<(LockedOwner & { readonly jobId: ObjectId | null }) | undefined> {
  const { rows } = await tx.query<LockedOwner & { jobId: ObjectId | null }>(
    `select ${ownerColumns}, t.job_id as "jobId"
       from tasks t join owners o on o.id = t.owner_id
      where t.id = $1 for no key update of o`,
    [bytes(taskId)],
  )
  return rows[0]
}

export async function lockJobs(tx: Executor, ids: readonly ObjectId[]): Promise<LockedJob[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.query<LockedJob>(
    `select ${jobColumns} from jobs where id = any($1::bytea[]) order by id for no key update`,
    [manyBytes(ids)],
  )
  return rows
}

export async function lockTasks(tx: Executor, ids: readonly ObjectId[]): Promise<LockedTask[]> {
  const { rows } = await tx.query<LockedTask>(
    `select ${taskColumns} from tasks where id = any($1::bytea[]) order by id for no key update`,
    [manyBytes(ids)],
  )
  return rows
}

export interface Edge {
  readonly parent: ObjectId
  readonly child: ObjectId
  /** The child's job, which never changes. */
  readonly childJob: ObjectId | null
}

/**
 * The tasks that wait directly for these tasks. Two statements, because a join with `tasks` for every edge would be
 * planned over all partitions: 8 ms, whereas known ids select theirs.
 */
export async function edgesFrom(tx: Executor, parents: readonly ObjectId[]): Promise<Edge[]> {
  if (parents.length === 0) return []
  const { rows } = await tx.query<Omit<Edge, 'childJob'>>(
    `select parent_id as parent, child_id as child from task_inputs where parent_id = any($1::bytea[]) order by 1, 2`,
    [manyBytes(parents)],
  )
  const jobs = await jobsOfTasks(tx, [...new Set(rows.map(({ child }) => child))])
  return rows.map((edge) => ({ ...edge, childJob: jobs.get(edge.child) ?? null }))
}

async function jobsOfTasks(tx: Executor, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, ObjectId | null>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.query<{ id: ObjectId; jobId: ObjectId | null }>(
    `select id, job_id as "jobId" from tasks where id = any($1::bytea[])`,
    [manyBytes(ids)],
  )
  return new Map(rows.map(({ id, jobId }) => [id, jobId]))
}
