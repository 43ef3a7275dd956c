import { type Executor, type Fence, insertFiles, type LockedTask, type NewFile, returnLease } from '@lathe/database'
import { afterFailure, type ExportedFile, type Failure, type ObjectId } from '@lathe/domain'
import { announce } from './after-commit.ts'
import type { Context } from './context.ts'
import { type EngineInput, noteCrash } from './engine-input.ts'
import { toWork } from './pools.ts'
import { settleTasks } from './settle-tasks.ts'

/** How a worker's write ended: `refused` when the fence has moved on and nothing was written. */
export type WriteEnd = 'written' | 'refused'

export interface Outcome {
  readonly files: readonly NewFile[]
  readonly warnings: readonly string[]
  /** Where an export has put its files. */
  readonly exported?: readonly ExportedFile[]
}

/** Completes the task, names its outputs, and wakes whoever waited: one transaction, conditional on the fence. */
export async function completeTask(context: Context, fence: Fence, outcome: Outcome): Promise<WriteEnd> {
  const { files, ...told } = outcome
  const settled = await context.database.transaction(async (tx) => {
    const end = await settleTasks(tx, context, { roots: [fence.taskId], reach: 'children' }, (tasks) => {
      return holds(tasks, fence) ? [{ id: fence.taskId, to: 'completed', ...told }] : []
    })
    const task = end?.before.get(fence.taskId)
    if (task) await insertFiles(tx, { taskId: task.id, createdAt: task.createdAt, files })
    return end
  })
  if (!settled) return refused(context)
  await announce(context, settled)
  return 'written'
}

/** What is known of a claimed attempt when it fails. */
export interface Attempt {
  readonly fence: Fence
  /** How many attempts have failed before this one. */
  readonly failures: number
  /** What its engine works on; null where no engine is needed. */
  readonly engineInput: EngineInput | null
}

/** Takes in a failed attempt: another try if the cause may pass, else the end of the task and of all who wait for it. */
export async function failTask(context: Context, attempt: Attempt, cause: Failure): Promise<WriteEnd> {
  const { fence, failures, engineInput } = attempt
  const verdict = afterFailure(cause, { failures, crashes: engineInput?.crashes ?? 0 })
  const isCrash = cause.code === 'engine_crashed'
  const alongside: Alongside = async (tx) => {
    if (isCrash && engineInput) await noteCrash(tx, context, engineInput)
  }
  if (verdict.kind === 'give-up') return endTask(context, fence, verdict.failure, alongside)
  context.metrics.retries.inc({ reason: cause.code })
  const back = { fence, delayMs: verdict.delayMs, failed: true, detail: cause.detail ?? null }
  return giveBack(context, back, alongside)
}

/** Gives the task back untouched, as a worker that stops must. */
export async function giveBackTask(context: Context, fence: Fence): Promise<WriteEnd> {
  return giveBack(context, { fence, delayMs: 0, failed: false, detail: null })
}

/** Written in the same transaction as a move, if the fence lets the move through: once, however often it is reported. */
type Alongside = (tx: Executor) => Promise<void>

async function giveBack(
  context: Context,
  back: Parameters<typeof returnLease>[1],
  alongside: Alongside = nothing,
): Promise<WriteEnd> {
  const next = await context.database.transaction(async (tx) => {
    const returned = await returnLease(tx, back)
    if (returned) await alongside(tx)
    return returned
  })
  if (!next) return refused(context)
  await context.dispatch.enqueue([toWork(next, back.delayMs)])
  return 'written'
}

/** Fails the task for good, conditional on the fence. */
export async function endTask(
  context: Context,
  fence: Fence,
  cause: Failure,
  alongside: Alongside = nothing,
): Promise<WriteEnd> {
  const settled = await context.database.transaction(async (tx) => {
    const end = await settleTasks(tx, context, { roots: [fence.taskId], reach: 'descendants' }, (tasks) => {
      return holds(tasks, fence) ? [{ id: fence.taskId, to: 'failed', failure: cause }] : []
    })
    if (end) await alongside(tx)
    return end
  })
  if (!settled) return refused(context)
  await announce(context, settled)
  return 'written'
}

async function nothing(): Promise<void> {}

/** Whether the worker still has the lease: this attempt, in its hands, not ended by anyone. */
function holds(tasks: ReadonlyMap<ObjectId, LockedTask>, { taskId, attempt, workerId }: Fence): boolean {
  const task = tasks.get(taskId)
  return task?.status === 'processing' && task.attempt === attempt && task.workerId === workerId
}

function refused({ metrics }: Context): WriteEnd {
  metrics.staleWrites.inc()
  return 'refused'
}
