import {
  type Executor,
  eraseDeliveriesOf,
  findOwnTask,
  findTasksOfJob,
  type LockedTask,
  markFilesDeleted,
  markJobDeleted,
} from '@lathe/database'
import { canMoveTask, type ObjectId, Problem } from '@lathe/domain'
import { announce } from './after-commit.ts'
import type { Caller, Context } from './context.ts'
import { type Settled, settleTasks } from './settle-tasks.ts'

/** Deletes a task in any state and returns the keys of its files and their previews, which the caller must erase now. */
export async function deleteTask(context: Context, caller: Caller, id: ObjectId): Promise<readonly string[]> {
  return erase(context, caller, async (tx) => {
    const task = await findOwnTask(tx, { ownerId: caller.ownerId, id, now: context.clock.now() })
    return task && { ids: [task.id], subjectId: task.jobId ?? task.id }
  })
}

/** Deletes a job: the job is removed, its tasks become tombstones. */
export async function deleteJob(context: Context, caller: Caller, id: ObjectId): Promise<readonly string[]> {
  return erase(
    context,
    caller,
    async (tx) => {
      const tasks = await findTasksOfJob(tx, { ownerId: caller.ownerId, id, now: context.clock.now() })
      return tasks && { ids: tasks.map((task) => task.id), subjectId: id }
    },
    (tx) => markJobDeleted(tx, id),
  )
}

interface Doomed {
  readonly ids: readonly ObjectId[]
  /** The job of the tasks, or the task itself. */
  readonly subjectId: ObjectId
}

/** Runs `also` once the owner, the job and its tasks are locked, in that order. */
async function erase(
  context: Context,
  { ownerId }: Caller,
  choose: (tx: Executor) => Promise<Doomed | undefined>,
  also: (tx: Executor) => Promise<void> = async () => {},
): Promise<readonly string[]> {
  let settled: Settled | undefined
  const keys = await context.database.transaction(async (tx) => {
    const doomed = await choose(tx)
    if (!doomed) throw new Problem('not_found')
    const { ids, subjectId } = doomed
    const taskIds = new Set(ids)
    settled = await settleTasks(tx, context, { roots: ids, reach: 'descendants' }, (tasks) => {
      for (const id of previewsOf(ids, tasks)) taskIds.add(id)
      return [...taskIds].flatMap((id) => {
        const status = tasks.get(id)?.status
        return status && canMoveTask(status, 'deleted') ? [{ id, to: 'deleted' as const }] : []
      })
    })
    await also(tx)
    await eraseDeliveriesOf(tx, subjectId)
    return markFilesDeleted(tx, { ownerId, taskIds: [...taskIds] })
  })
  if (settled) await announce(context, settled)
  return keys
}

/** The previews of files of some tasks, among all tasks that depend on these. */
function previewsOf(ids: readonly ObjectId[], tasks: ReadonlyMap<ObjectId, LockedTask>): readonly ObjectId[] {
  const isShown = ({ dependsOn: [shown] }: LockedTask) => shown !== undefined && ids.includes(shown)
  return [...tasks.values()].filter((task) => task.previewFile !== null && isShown(task)).map(({ id }) => id)
}
