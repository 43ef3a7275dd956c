import { findTaskById, type NewFile, type TaskRecord } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import { isUpload } from '@lathe/operations'
import { announce } from './after-commit.ts'
import type { Context } from './context.ts'
import type { Standing } from './finish-task.ts'
import type { LoneEnds } from './lone-ends.ts'
import { type Settled, settleTasks } from './settle-tasks.ts'
import { OutOfStorage } from './stored-files.ts'

/**
 * Completes an upload task with its file. Returns undefined if the form was used, canceled, deleted or has expired.
 * Throws if the owner may not store the file: the form stays open, and the file can be sent again when there is room.
 */
export async function completeUpload(
  context: Context,
  lone: LoneEnds,
  { taskId, file, standing }: { taskId: ObjectId; file: NewFile; standing: Standing | undefined },
): Promise<TaskRecord | undefined> {
  const fence = { taskId, attempt: 1, workerId: null }
  const nothing = { warnings: [], exported: null, times: null, engineMs: 0, pair: { from: '', to: '' } }
  const report = { fence, files: [file], ...nothing }
  if (standing?.isLone && (await lone.complete(standing.ownerId, report))) {
    return findTaskById(context.database.pool, taskId)
  }
  const settled = await complete(context, taskId, file)
  if (!settled) return undefined
  await announce(context, settled)
  return findTaskById(context.database.pool, taskId)
}

async function complete(context: Context, taskId: ObjectId, file: NewFile): Promise<Settled | undefined> {
  try {
    return await context.database.transaction((tx) =>
      settleTasks(tx, context, { roots: [taskId], reach: 'children' }, (tasks) => {
        const task = tasks.get(taskId)
        const waits = task?.status === 'processing' && isUpload(task.operation)
        return waits ? [{ id: taskId, to: 'completed', files: [file] }] : []
      }),
    )
  } catch (error) {
    if (error instanceof OutOfStorage) throw new Problem('out_of_storage', { msg: error.message })
    throw error
  }
}
