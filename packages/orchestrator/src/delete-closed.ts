import { type ClosedWork, findTasksOfClosed } from '@lathe/database'
import { firstIdAt, oldestShownAt, Problem } from '@lathe/domain'
import { forEachPageSafely, forEachSafely } from '@lathe/runtime'
import type { Context } from './context.ts'
import { deleteJob, deleteTask } from './delete-tasks.ts'

const page = 500

/**
 * Deletes the jobs and tasks of closed accounts, one transaction each, and returns how many. Their files are erased
 * like those of other deleted tasks. It can be interrupted at any point, and also finds what a concurrent request adds
 * later.
 */
export async function deleteTasksOfClosed(context: Context): Promise<number> {
  const oldest = firstIdAt(oldestShownAt(context.clock.now()))
  return forEachPageSafely<ClosedWork>(
    (last) => findTasksOfClosed(context.database.pool, { after: last?.id ?? oldest, limit: page }),
    (found) => forEachSafely(found, (work) => deleteOne(context, work)),
  )
}

async function deleteOne(context: Context, { id, ownerId, isJob }: ClosedWork): Promise<void> {
  const caller = { ownerId, userId: ownerId }
  try {
    await (isJob ? deleteJob : deleteTask)(context, caller, id)
  } catch (error) {
    // It has expired meanwhile.
    if (!(error instanceof Problem)) throw error
  }
}
