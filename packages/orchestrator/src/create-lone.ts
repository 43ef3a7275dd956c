import { insertLoneTask, isPartitionGone, type ParentTask, type TaskRecord } from '@lathe/database'
import { type ObjectId, oldestWithFilesAt } from '@lathe/domain'
import { familiesFor } from '@lathe/engines'
import { isProcessing, needsSeveral } from '@lathe/operations'
import type { Caller, Context } from './context.ts'
import { createEventLog } from './event-log.ts'
import { logCreation, type NewTask, planCreation, toRecord } from './plan-creation.ts'
import { toWork } from './pools.ts'

// The largest `integer` of PostgreSQL.
const largestInteger = 2 ** 31 - 1

/**
 * Writes a task outside any job in one statement. Returns undefined if that is not possible; then nothing was written.
 * Tasks that need several files take the general path, which checks the files of their inputs.
 */
export async function createLone(context: Context, caller: Caller, task: NewTask): Promise<TaskRecord | undefined> {
  if (needsSeveral(task.operation)) return undefined
  const { ids, clock, database, dispatch, metrics, limits } = context
  const now = clock.now()
  const creation = planCreation({
    caller,
    // The plan assumes the best case; the statement writes only if that is true.
    owner: { id: caller.ownerId, slots: 1, slotsUsed: 0, backlog: 0, openTasks: 0, hasWebhooks: false },
    parents: new Map(task.inputs.flatMap((ref) => (ref.kind === 'task' ? [[ref.id, completed(ref.id, now)]] : []))),
    now,
    jobId: null,
    tasks: [task],
  })
  const [planned] = creation.tasks
  if (!planned) return undefined
  const log = createEventLog(ids, [])
  logCreation(log, null, creation)
  const wanted = {
    task: planned,
    events: log.events,
    inputsSince: oldestWithFilesAt(now),
    mostOpen: limits?.openTasksPerOwner ?? largestInteger,
    families: familiesOf(task),
  }
  const made = await insertLoneTask(database.pool, wanted).catch(ifThere)
  if (!made) return undefined
  metrics.tasksCreated.inc({ operation: task.operation })
  // Not awaited: the response does not wait for Redis, and the reconciler repeats what Redis misses.
  if (made.slot) void dispatch.enqueue([toWork({ ...planned, rank: made.rank, needs: made.needs })])
  void dispatch.reported(log.hintsFor(caller.ownerId))
  return toRecord(planned)
}

function familiesOf({ operation, payload }: NewTask) {
  if (!isProcessing(operation)) return undefined
  const { output_format: to, options } = payload
  return familiesFor({ operation, to, options })
}

/** If the partition of an input is gone, the general path finds that out and reports it. */
function ifThere(error: unknown): undefined {
  if (!isPartitionGone(error)) throw error
}

function completed(id: ObjectId, createdAt: Date): ParentTask {
  return { id, operation: '', status: 'completed', createdAt }
}
