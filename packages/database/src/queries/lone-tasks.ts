import {
  type EngineFamily,
  type ExportedFile,
  type ObjectId,
  retention,
  type StoredEventType,
  type TaskTimes,
  type UsagePair,
} from '@lathe/domain'
import { uploadOperations } from '@lathe/operations'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { idNow } from '../id-now.ts'
import { hourOf } from '../partitions.ts'
import type { TaskInsert } from './create-tasks.ts'
import { newFileColumns } from './files.ts'
import type { Fence } from './leases.ts'
import { thisMonth } from './owner-plans.ts'
import type { NewFile } from './rows.ts'
import { type Dispatchable, dispatchColumns } from './slots.ts'
import { addStoredSql, expiryPeriod, storedBytesSql } from './stored-bytes.ts'
import { addUsageSql } from './usage.ts'

/**
 * The short paths of tasks outside any job, which are most tasks: one statement where the general path needs many. Each
 * does nothing if its conditions are not met, and the caller then takes the general path.
 */
export interface LoneCreation {
  /** The task as it starts if it gets a slot; `slot` is whether it needs one. */
  readonly task: Omit<TaskInsert, 'seq'>
  readonly events: readonly { readonly id: ObjectId; readonly type: StoredEventType }[]
  /** Only tasks created after this are valid inputs: their files have not expired. */
  readonly inputsSince: Date
  /** How many open tasks the owner may have, including this one. */
  readonly mostOpen: number
  /** The engine family it needs, by the format of its first input; undefined if it needs none. */
  readonly families?: Readonly<Record<string, EngineFamily>> | undefined
}

/** How a task was written: whether it has a slot, its rank, and the engine family it needs, if known. */
export interface LoneBeginning {
  readonly slot: boolean
  readonly rank: number
  readonly needs: EngineFamily | null
}

/**
 * Writes a task whose inputs have all completed, takes or waits for a slot, and adds its first events. Returns
 * undefined if an input does not exist or is not completed, if the owner has webhooks or too many open tasks, or if a
 * free slot must go to older tasks first.
 *
 * The statement sees the inputs as they were when it began. A completed input can only be deleted meanwhile, which the
 * task finds out when it is claimed, as if it had been deleted a moment later.
 */
export async function insertLoneTask(
  db: Executor,
  { task, events, inputsSince, mostOpen, families }: LoneCreation,
): Promise<LoneBeginning | undefined> {
  const inputs = [...new Set(task.dependsOn)]
  const [hour, [inputHour, ...otherHours]] = [hourOf(task.id), [...new Set(inputs.map(hourOf))]]
  if (otherHours.length > 0) return undefined
  const { rows } = await db.query<LoneBeginning>(task.slot ? withSlot(hour, inputHour) : withoutSlot(hour), [
    ...[bytes(task.id), bytes(task.ownerId), bytes(task.userId), task.name, task.operation, task.pool, task.status],
    ...[JSON.stringify(task.payload), manyBytes(task.dependsOn), task.createdAt, task.startedAt],
    task.sealed && bytes(task.sealed),
    ...[
      manyBytes(events.map(({ id }) => id)),
      events.map(({ type }) => type),
      mostOpen,
      task.traceParent,
      task.needsVersion,
    ],
    ...(inputs.length > 0
      ? [manyBytes(inputs), inputsSince, inputs.length, families ? JSON.stringify(families) : null]
      : []),
  ])
  return rows[0]
}

const grants = `backlog = 0 and slots_used < slots`

// The statement includes the families: the format of the first file decides, without another round trip.
const needsSql = (inputHour: string) =>
  `(select $21::jsonb ->> f.format from files_p${inputHour} f where f.task_id = ($9::bytea[])[1] order by f.n limit 1)`

function newTaskSql(hour: string, inputHour?: string): string {
  return `new as (
    insert into tasks_p${hour} (id, owner_id, user_id, name, operation, pool, status, payload, depends_on, created_at,
                       started_at, updated_at, sealed, position, pending, slot, seq, trace_parent, needs_version, needs)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9::bytea[], $10, $11::timestamptz, $10, $12::bytea, 0, 0, o.slot,
           cardinality($13::bytea[]), $16::text, $17::integer, ${inputHour ? needsSql(inputHour) : 'null'}
      from o
    returning needs
  ), inserted_events as (
    insert into events_p${hour} (subject_id, seq, id, type, task_id)
    select $1, e.seq, ${idNow('e.id')}, e.type, $1
      from o, unnest($13::bytea[], $14::text[]) with ordinality as e(id, type, seq)
  )`
}

// If there is both a backlog and a free slot, the oldest tasks of the backlog go first: the general path does that.
function withSlot(hour: string, inputHour: string | undefined): string {
  const edges = `, edges as (
    insert into task_inputs_p${inputHour} (parent_id, child_id) select parent, $1 from o, unnest($18::bytea[]) as parent
  )`
  const inputsAreThere = `and $20 = (
      select count(*) from tasks_p${inputHour}
       where id = any($18::bytea[]) and owner_id = $2 and status = 'completed' and created_at > $19)`
  return `with o as (
    update owners
       set slots_used = slots_used + case when ${grants} then 1 else 0 end,
           backlog = backlog + case when ${grants} then 0 else 1 end, open_tasks = open_tasks + 1
     where id = $2 and not has_webhooks and open_tasks < $15 and (backlog = 0 or slots_used >= slots) ${inputHour ? inputsAreThere : ''}
    returning backlog = 0 as slot, slots_used as rank
  ), ${newTaskSql(hour, inputHour)}${inputHour ? edges : ''}
  select slot, rank, needs from o, new`
}

function withoutSlot(hour: string): string {
  return `with o as (
    update owners set open_tasks = open_tasks + 1 where id = $2 and not has_webhooks and open_tasks < $15
    returning false as slot, 1 as rank
  ), ${newTaskSql(hour)}
  select slot, rank, needs from o, new`
}

/** The end of a task outside any job, as its worker or the receiver of an upload reports it. */
export interface LoneEnd {
  /** `workerId` is null for an upload, which has no worker. */
  readonly fence: Omit<Fence, 'workerId'> & { readonly workerId: ObjectId | null }
  readonly files: readonly NewFile[]
  readonly warnings: readonly string[]
  readonly exported: readonly ExportedFile[] | null
  /** Null if there is no worker. */
  readonly times: TaskTimes | null
  /** The engine time. */
  readonly engineMs: number
  /** The input and output format of the engines' work, if any. */
  readonly pair: UsagePair
  readonly eventId: ObjectId
}

/** A completed task, with what its event needs. */
export interface LoneEnded {
  readonly id: ObjectId
  readonly operation: string
  readonly seq: number
}

/** Ends of tasks of one owner that were created in the same hour. */
export interface LoneEnding {
  readonly ownerId: ObjectId
  readonly hour: string
  readonly ends: readonly LoneEnd[]
  /** How many bytes an owner without its own quota may store; null without a limit. */
  readonly mostStored: number | null
  /** The id from which to look for ready tasks; undefined if the owner is not known to have a backlog. */
  readonly backlogSince: ObjectId | undefined
}

/**
 * Completes tasks of one owner: records their files, adds the events, counts the minutes, and gives their slots to the
 * owner's oldest ready tasks. Skips a task whose fence is stale, that is in a job, that others wait for, or whose owner
 * has webhooks or an unexpected backlog; skips all of them if the owner may not store their files. The caller has
 * locked the owner, so no task starts to wait for one of them meanwhile.
 */
export async function completeLoneTasks(
  tx: Executor,
  { ownerId, hour, ends, mostStored, backlogSince }: LoneEnding,
): Promise<{ readonly ended: readonly LoneEnded[]; readonly admitted: readonly Dispatchable[] }> {
  const reports = ends.map(({ fence, files: _files, pair, ...report }) => ({ ...fence, ...report, ...pair }))
  const files = ends.flatMap(({ fence, files: made }) => made.map((file) => ({ ...file, taskId: fence.taskId })))
  const { rows } = await tx.query<LoneEnded & Dispatchable & { what: 'ended' | 'admitted' }>(
    completeSql(hour, backlogSince !== undefined),
    [
      ...[bytes(ownerId), manyBytes(ends.map(({ fence }) => fence.taskId)), JSON.stringify(reports)],
      ...[JSON.stringify(files), retention.fileMs, mostStored, sizeOf(files), uploadOperations],
      ...(backlogSince ? [bytes(backlogSince)] : []),
    ],
  )
  return {
    ended: rows.filter(({ what }) => what === 'ended'),
    admitted: rows.filter(({ what }) => what === 'admitted'),
  }
}

const sizeOf = (files: readonly NewFile[]) => files.reduce((sum, { size }) => sum + size, 0)

const admittedSql = `next as (
    select t.id from tasks t
     where t.owner_id = $1 and t.id >= $9 and t.status = 'created' and t.pending = 0 and not t.slot
     order by t.id
     limit (select greatest(0, least(o.backlog, o.slots - o.slots_used + freed.slots))
              from owners o, freed where o.id = $1)
     for no key update skip locked
  ), admitted as (
    update tasks t set slot = true, updated_at = now() from next where t.id = next.id and t.id >= $9
    returning ${dispatchColumns}
  )`
const nobodyAdmittedSql = (hour: string) => `admitted as (
    select ${dispatchColumns} from tasks_p${hour} t where false
  )`

function completeSql(hour: string, hasBacklog: boolean): string {
  return `with reports as (
    select decode("taskId", 'hex') as id, attempt, decode("workerId", 'hex') as worker_id,
           array(select json_array_elements_text(warnings)) as warnings, exported, times, "engineMs" as engine_ms,
           decode("eventId", 'hex') as event_id, "from" as input_format, "to" as output_format
      from json_to_recordset($3::json) as r(
        "taskId" text, attempt integer, "workerId" text, warnings json, exported jsonb, times jsonb, "engineMs" float8,
        "eventId" text, "from" text, "to" text)
  ), held as (
    select t.id, t.pool, t.slot, t.created_at, t.operation, t.needs, r.warnings, r.exported, r.times, r.event_id,
           r.engine_ms, r.input_format, r.output_format
      from tasks_p${hour} t join reports r on r.id = t.id and r.attempt = t.attempt
     where t.id = any($2::bytea[]) and t.owner_id = $1 and t.status = 'processing' and t.job_id is null
       and (r.worker_id = t.worker_id or r.worker_id is null and t.worker_id is null and t.operation = any($8))
       and not exists (select from owners where id = $1 and (has_webhooks${hasBacklog ? '' : ' or backlog > 0'}))
       and not exists (select from task_inputs_p${hour} e where e.parent_id = t.id)
       and (select coalesce(o.storage_bytes, $6::bigint, 0) = 0
                or ${storedBytesSql('$1')} + $7::bigint <= coalesce(o.storage_bytes, $6::bigint)
              from owners o where o.id = $1)
     order by t.id for no key update of t
  ), ended as (
    update tasks_p${hour} t
       set status = 'completed', slot = false, sealed = null, worker_id = null, not_before = null, error_code = null,
           reason = null, msg = null, detail = null, warnings = held.warnings, exported = held.exported,
           times = held.times, seq = t.seq + 1,
           ended_at = coalesce(t.ended_at, greatest(now(), t.started_at)), updated_at = now()
      from held where t.id = held.id
    returning t.id, t.operation, t.seq
  ), named as (
    insert into files_p${hour} (task_id, expires_at, ${newFileColumns.names})
    select held.id, held.created_at + $5 * interval '1 millisecond', ${newFileColumns.values}
      from held join json_to_recordset($4::json) as f("taskId" text, ${newFileColumns.record})
        on decode(f."taskId", 'hex') = held.id
    returning task_id, size, expires_at
  ), stored as (
    ${addStoredSql(`select $1::bytea, ${expiryPeriod('expires_at')}, sum(size) from named group by 2`)}
  ), used as (
    ${addUsageSql(`select $1::bytea, operation, case when pool = 'process' then input_format else '' end,
             case when pool = 'process' then output_format else '' end, needs, 'completed',
             case when pool = 'process' then greatest(0, engine_ms) end,
             (select sum(size) from named where named.task_id = held.id)
        from held`)}
  ), inserted_events as (
    insert into events_p${hour} (subject_id, seq, id, type, task_id)
    select ended.id, ended.seq, ${idNow('held.event_id')}, 'task.completed', ended.id from ended join held on held.id = ended.id
  ), freed as (
    select count(*) as tasks, count(*) filter (where slot) as slots,
           coalesce(sum(greatest(0, engine_ms)) filter (where pool = 'process'), 0) as taken_ms
      from held
  ), ${hasBacklog ? admittedSql : nobodyAdmittedSql(hour)}, counted as (
    update owners o
       set slots_used = greatest(0, o.slots_used - freed.slots) + given.slots,
           backlog = greatest(0, o.backlog - given.slots), open_tasks = greatest(0, o.open_tasks - freed.tasks), used_in = ${thisMonth},
           used_ms = round(freed.taken_ms) + case when o.used_in = ${thisMonth} then o.used_ms else 0 end
      from freed, (select count(*) as slots from admitted) given
     where o.id = $1 and exists (select from held)
  )
  select 'ended' as what, operation, seq, id, null as pool, null as attempt, $1::bytea as "ownerId", null as "jobId",
         null as "dependsOn", null as lane, null as needs, null as rank
    from ended
  union all
  select 'admitted', null, null, admitted.* from admitted`
}
