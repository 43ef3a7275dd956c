import { type Executor, findTasksById, type TaskRecord } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'

/** The tasks of an owner that other tasks take files from. */
export async function findSources(
  db: Executor,
  ownerId: ObjectId,
  ids: readonly ObjectId[],
): Promise<readonly TaskRecord[]> {
  const found = await findTasksById(db, [...new Set(ids)])
  return found.filter((task) => task.ownerId === ownerId)
}
