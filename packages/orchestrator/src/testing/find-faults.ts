import { bytes } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import type { Work } from '@lathe/queue'
import type { Workshop } from './workshop.ts'

interface Row {
  readonly id: ObjectId
  readonly jobId: ObjectId | null
  readonly status: string
  readonly pending: number
  readonly slot: boolean
  readonly workerId: ObjectId | null
  readonly dependsOn: readonly ObjectId[]
}

interface OwnerRow {
  readonly slots: number
  readonly slotsUsed: number
  readonly backlog: number
  /** Bytes of its files, as counted and as the files show. */
  readonly counted: number
  readonly stored: number
  /** Ends of its tasks, as counted and as the tasks show. */
  readonly endsCounted: number
  readonly ends: number
}

const ends = /^task\.(completed|failed|canceled)$/

/** Returns what is wrong with an owner's tasks between two transactions; must be empty, whatever happened before. */
export async function findFaults(
  shop: Workshop,
  ownerId: ObjectId,
  queued: readonly Work[],
): Promise<readonly string[]> {
  const all = async <T extends object>(sql: string) => (await shop.database.pool.query<T>(sql, [bytes(ownerId)])).rows
  const tasks = await all<Row>(
    `select id, job_id as "jobId", status, pending, slot, worker_id as "workerId", depends_on as "dependsOn"
       from tasks where owner_id = $1 order by id`,
  )
  const [owner] = await all<OwnerRow>(
    `select slots, slots_used as "slotsUsed", backlog,
            (select coalesce(sum(bytes), 0)::int from stored_bytes where owner_id = $1) as counted,
            (select coalesce(sum(size), 0)::int from files f join tasks t on t.id = f.task_id
              where t.owner_id = $1 and f.deleted_at is null) as stored,
            (select coalesce(sum(completed + failed + canceled), 0)::int from usage where owner_id = $1) as "endsCounted",
            (select count(*)::int from tasks where owner_id = $1 and status not in ('created', 'processing')) as ends
       from owners where id = $1`,
  )
  const jobs = await all<{ id: ObjectId; status: string; remaining: number }>(
    `select id, status, remaining from jobs where owner_id = $1`,
  )
  const events = await all<{ subject: ObjectId; seq: number; type: string; task: ObjectId | null }>(
    `select subject_id as subject, seq, type, task_id as task from events
      where subject_id in (select id from tasks where owner_id = $1 union select id from jobs where owner_id = $1)
      order by subject_id, seq`,
  )
  if (!owner) return ['the owner is gone']
  const backlog = tasks.filter(({ status, pending, slot }) => status === 'created' && pending === 0 && !slot)
  const slotsUsed = tasks.filter(({ slot }) => slot).length
  const entries = new Set(queued.map(({ entry }) => entry.task))
  const completed = new Set(events.flatMap(({ type, task }) => (type === 'task.completed' && task ? [task] : [])))
  return [
    ...(owner.slotsUsed === slotsUsed ? [] : [`${slotsUsed} slots are taken, ${owner.slotsUsed} counted`]),
    ...(owner.backlog === backlog.length ? [] : [`${backlog.length} tasks wait for a slot, ${owner.backlog} counted`]),
    ...(owner.stored === owner.counted ? [] : [`${owner.stored} bytes are stored, ${owner.counted} counted`]),
    ...(owner.ends === owner.endsCounted ? [] : [`${owner.ends} tasks have ended, ${owner.endsCounted} are counted`]),
    ...(slotsUsed <= owner.slots ? [] : [`${slotsUsed} of ${owner.slots} slots are taken`]),
    ...tasks.flatMap((task) => faultsOfTask(task, tasks)),
    ...tasks.flatMap(({ id, slot, workerId }) =>
      slot && workerId === null && !entries.has(id) ? [`${id} has a slot and no queue entry`] : [],
    ),
    ...jobs.flatMap((job) => faultsOfJob(job, tasks, completed)),
    ...[...Map.groupBy(events, ({ subject }) => subject)].flatMap(([subject, reported]) =>
      reported.every(({ seq }, i) => seq === i + 1) ? [] : [`the events of ${subject} have a gap`],
    ),
    ...tasks.flatMap(({ id, status }) => {
      const reported = events.filter(({ task, type }) => task === id && ends.test(type)).map(({ type }) => type)
      const isOpen = status === 'created' || status === 'processing'
      const wanted = isOpen || status === 'deleted' ? [] : [`task.${status}`]
      // A task that had ended before it was deleted keeps its end event.
      if (status === 'deleted' && reported.length <= 1) return []
      return reported.join() === wanted.join() ? [] : [`${id} is ${status}, its ends are ${reported.join() || 'none'}`]
    }),
  ]
}

function faultsOfTask(
  { id, status, pending, slot, workerId, dependsOn }: Row,
  tasks: readonly Row[],
): readonly string[] {
  const inputs = dependsOn.map((parent) => tasks.find((task) => task.id === parent)?.status ?? 'gone')
  const isOpen = status === 'created' || status === 'processing'
  if (!isOpen) return slot || workerId !== null ? [`${id} is ${status} and holds a slot or a lease`] : []
  const missing = inputs.filter((input) => input !== 'completed').length
  const isDoomed = inputs.some((input) => /failed|canceled|deleted|gone/.test(input))
  return [
    ...(pending === missing ? [] : [`${id} waits for ${pending} inputs, ${missing} are missing`]),
    ...(isDoomed ? [`${id} is ${status} though an input ended: ${inputs.join()}`] : []),
    ...(status === 'processing' && !slot ? [`${id} runs without a slot`] : []),
  ]
}

interface JobState {
  readonly id: ObjectId
  readonly status: string
  readonly remaining: number
}

function faultsOfJob({ id, status, remaining }: JobState, tasks: readonly Row[], completed: ReadonlySet<ObjectId>) {
  const own = tasks.filter(({ jobId }) => jobId === id)
  // Deleting a completed task does not count it as remaining again.
  const left = own.filter((task) => !completed.has(task.id)).length
  const isBad = own.some((task) => /failed|canceled|deleted/.test(task.status) && !completed.has(task.id))
  const hasEnded = status === 'completed' || status === 'failed'
  return [
    ...(remaining === left ? [] : [`job ${id} has ${remaining} tasks left, ${left} are`]),
    ...(isBad && status !== 'failed' ? [`job ${id} is ${status} with ${own.map((task) => task.status).join()}`] : []),
    ...(left === 0 && !hasEnded ? [`job ${id} is ${status} with nothing left`] : []),
  ]
}
