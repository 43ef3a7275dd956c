import { type Fence, insertFiles, type LockedTask, type NewFile, returnLease } from '@lathe/database'
import { afterFailure, type Failure, type ObjectId } from '@lathe/domain'
import { announce } from './after-commit.ts'
import type { Context } from './context.ts'
import { toWork } from './pools.ts'
import { settleTasks } from './settle-tasks.ts'

/** How a worker's write ended: `refused` when the fence has moved on and nothing was written. */
export type WriteEnd = 'written' | 'refused'

export interface Outcome {
  readonly files: readonly NewFile[]
  readonly warnings: readonly string[]
}

/** Completes the task, names its outputs, and wakes whoever waited: one transaction, conditional on the fence. */
export async function completeTask(context: Context, fence: Fence, { files, warnings }: Outcome): Promise<WriteEnd> {
  const settled = await context.database.transaction(async (tx) => {
    const end = await settleTasks(tx, context, { roots: [fence.taskId], reach: 'children' }, (tasks) => {
      return holds(tasks, fence) ? [{ id: fence.taskId, to: 'completed', warnings }] : []
    })
    const task = end?.before.get(fence.taskId)
    if (task) await insertFiles(tx, { taskId: task.id, createdAt: task.createdAt, files })
    return end
  })
  if (!settled) return refused(context)
  await announce(context, settled)
  return 'written'
}

/** Takes in a failed attempt: another try if the cause may pass, else the end of the task and of all who wait for it. */
export async function failTask(
  context: Context,
  fence: Fence,
  cause: Failure,
  failuresBefore: number,
): Promise<WriteEnd> {
  const verdict = afterFailure(cause, failuresBefore)
  if (verdict.kind === 'give-up') return endTask(context, fence, verdict.failure)
  context.metrics.retries.inc({ reason: cause.code })
  const detail = cause.detail ?? null
  return giveBack(context, { fence, delayMs: verdict.delayMs, failed: true, detail })
}

/** Gives the task back untouched, as a worker that stops must. */
export async function giveBackTask(context: Context, fence: Fence): Promise<WriteEnd> {
  return giveBack(context, { fence, delayMs: 0, failed: false, detail: null })
}

async function giveBack(context: Context, back: Parameters<typeof returnLease>[1]): Promise<WriteEnd> {
  const next = await returnLease(context.database.pool, back)
  if (!next) return refused(context)
  await context.dispatch.enqueue([toWork(next, back.delayMs)])
  return 'written'
}

/** Fails the task for good, conditional on the fence. */
export async function endTask(context: Context, fence: Fence, cause: Failure): Promise<WriteEnd> {
  const settled = await context.database.transaction((tx) =>
    settleTasks(tx, context, { roots: [fence.taskId], reach: 'descendants' }, (tasks) => {
      return holds(tasks, fence) ? [{ id: fence.taskId, to: 'failed', failure: cause }] : []
    }),
  )
  if (!settled) return refused(context)
  await announce(context, settled)
  return 'written'
}

/** Whether the worker still has the lease: this attempt, in its hands, not ended by anyone. */
function holds(tasks: ReadonlyMap<ObjectId, LockedTask>, { taskId, attempt, workerId }: Fence): boolean {
  const task = tasks.get(taskId)
  return task?.status === 'processing' && task.attempt === attempt && task.workerId === workerId
}

function refused({ metrics }: Context): WriteEnd {
  metrics.staleWrites.inc()
  return 'refused'
}
