import { type ClosedWork, findTasksOfClosed } from '@lathe/database'
import { firstIdAt, oldestShownAt, Problem } from '@lathe/domain'
import type { Context } from './context.ts'
import { deleteJob, deleteTask } from './delete-tasks.ts'

const page = 500

/**
 * Deletes the jobs and tasks of closed accounts, one transaction each, and returns how many. Their files are erased
 * like those of other deleted tasks. It can be interrupted at any point, and also finds what a concurrent request adds
 * later.
 */
export async function deleteTasksOfClosed(context: Context): Promise<number> {
  const since = firstIdAt(oldestShownAt(context.clock.now()))
  const found = await findTasksOfClosed(context.database.pool, { since, limit: page })
  let deleted = 0
  for (const work of found) if (await deleteOne(context, work)) deleted += 1
  return deleted
}

async function deleteOne(context: Context, { id, ownerId, isJob }: ClosedWork): Promise<boolean> {
  const caller = { ownerId, userId: ownerId }
  try {
    await (isJob ? deleteJob : deleteTask)(context, caller, id)
    return true
  } catch (err) {
    // It has expired meanwhile.
    if (!(err instanceof Problem)) context.log.error({ err, ownerId }, 'jobs of a closed account not deleted')
    return false
  }
}
