import { findTaskById, insertFiles, type NewFile, type TaskRecord } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { announce } from './after-commit.ts'
import type { Context } from './context.ts'
import { settleTasks } from './settle-tasks.ts'

/** Completes an upload task with its file. Undefined: the form was used, canceled, deleted or is past its time. */
export async function completeUpload(
  context: Context,
  taskId: ObjectId,
  file: NewFile,
): Promise<TaskRecord | undefined> {
  const settled = await context.database.transaction(async (tx) => {
    const end = await settleTasks(tx, context, { roots: [taskId], reach: 'children' }, (tasks) => {
      const task = tasks.get(taskId)
      const waits = task?.status === 'processing' && task.operation === 'import/upload'
      return waits ? [{ id: taskId, to: 'completed' }] : []
    })
    const task = end?.before.get(taskId)
    if (task) await insertFiles(tx, { taskId, createdAt: task.createdAt, files: [file] })
    return end
  })
  if (!settled) return undefined
  await announce(context, settled)
  return findTaskById(context.database.pool, taskId)
}
