import { type Executor, type Fence, findTaskById, type LockedTask, type NewFile, returnLease } from '@lathe/database'
import {
  afterFailure,
  causeOfBadInput,
  type EngineFamily,
  type ExportedFile,
  type Failure,
  failure,
  isBadEnd,
  type Lane,
  type ObjectId,
  type TaskTimes,
} from '@lathe/domain'
import { announce } from './after-commit.ts'
import type { Context } from './context.ts'
import { type EngineInput, noteCrash } from './engine-input.ts'
import { findInputs } from './find-inputs.ts'
import type { LoneEnds } from './lone-ends.ts'
import { toWork } from './pools.ts'
import { settleTasks } from './settle-tasks.ts'
import { OutOfStorage } from './stored-files.ts'

/**
 * The result of a worker's write: `refused` if the fence is stale and nothing was written, `out_of_storage` if the task
 * failed because its owner may not store its files.
 */
export type WriteEnd = 'written' | 'refused' | 'out_of_storage'

export interface Outcome {
  readonly files: readonly NewFile[]
  readonly warnings: readonly string[]
  /** Where an export stored its files. */
  readonly exported?: readonly ExportedFile[]
  /** The engine time. */
  readonly engineMs?: number
  /** How the task spent its time. */
  readonly times?: TaskTimes | undefined
}

/** What the claim returned about a task: its owner, and whether its end affects nothing else. */
export interface Standing {
  readonly ownerId: ObjectId
  /** Outside any job, without webhooks and without dependants, at the time of the claim. */
  readonly isLone: boolean
  /** The format of its first input, if known. */
  readonly from?: string | undefined
}

/** Completes the task, records its files and notifies dependants: one transaction, conditional on the fence. */
export async function completeTask(
  context: Context,
  lone: LoneEnds,
  { fence, outcome, standing }: { fence: Fence; outcome: Outcome; standing: Standing | undefined },
): Promise<WriteEnd> {
  if (standing?.isLone) {
    const { files, warnings, exported = null, engineMs = 0, times = null } = outcome
    const pair = { from: standing.from ?? '', to: files[0]?.format ?? '' }
    const report = { fence, files, warnings, exported, engineMs, times, pair }
    if (await lone.complete(standing.ownerId, report)) return 'written'
  }
  try {
    const settled = await context.database.transaction((tx) =>
      settleTasks(tx, context, { roots: [fence.taskId], reach: 'children' }, (tasks) => {
        return holds(tasks, fence) ? [{ id: fence.taskId, to: 'completed', ...outcome, from: standing?.from }] : []
      }),
    )
    if (!settled) return refused(context)
    await announce(context, settled)
    return 'written'
  } catch (error) {
    if (!(error instanceof OutOfStorage)) throw error
    const cause = failure('out_of_storage', { text: error.message })
    const { engineMs, times } = outcome
    const end = await endTask(context, fence, cause, { engineMs, times, from: standing?.from })
    return end === 'written' ? 'out_of_storage' : end
  }
}

/** What is known about a claimed attempt when it fails. */
export interface Attempt {
  readonly fence: Fence
  /** How many attempts failed before this one. */
  readonly failures: number
  /** What its engine works on; null if it needs no engine. */
  readonly engineInput: EngineInput | null
  /** The engine time. */
  readonly engineMs?: number
  /** How the task spent its time. */
  readonly times?: TaskTimes | undefined
  /** The format of its first input. */
  readonly from?: string | undefined
}

/** Records a failed attempt: retries the task if the cause may be temporary, otherwise fails it and its dependants. */
export async function failTask(context: Context, attempt: Attempt, cause: Failure): Promise<WriteEnd> {
  const { fence, failures, engineInput, engineMs, times, from } = attempt
  const verdict = afterFailure(cause, { failures, crashes: engineInput?.crashes ?? 0 })
  const isCrash = cause.code === 'engine_crashed'
  const alongside: Alongside = async (tx) => {
    if (isCrash && engineInput) await noteCrash(tx, context, engineInput)
  }
  if (verdict.kind === 'give-up') {
    const named = await nameLoss(context, fence.taskId, verdict.failure)
    return endTask(context, fence, named, { alongside, engineMs, times, from })
  }
  context.metrics.retries.inc({ reason: cause.code })
  const back = { fence, delayMs: verdict.delayMs, failed: true, detail: cause.detail ?? null }
  return giveBack(context, back, alongside)
}

/** A worker that finds no file takes it for expired. An input that was deleted after the claim has lost its files earlier. */
async function nameLoss({ database: { pool } }: Context, taskId: ObjectId, cause: Failure): Promise<Failure> {
  if (cause.code !== 'input_expired') return cause
  const task = await findTaskById(pool, taskId)
  const inputs = await findInputs(pool, task?.dependsOn ?? [])
  const end = inputs?.map(({ status }) => status).find(isBadEnd)
  return end ? failure(causeOfBadInput[end]) : cause
}

/**
 * How a task is requeued unchanged: when it may be claimed again, in which lane, for which engine, and whether its files
 * did not fit into the scratch space of its worker.
 */
export interface Return {
  readonly delayMs?: number
  readonly lane?: Lane | undefined
  readonly needs?: EngineFamily | undefined
  readonly isOverScratch?: boolean | undefined
}

/** Requeues the task unchanged, for a worker that stops or cannot run it. */
export async function giveBackTask(
  context: Context,
  fence: Fence,
  { delayMs = 0, lane, needs, isOverScratch }: Return = {},
): Promise<WriteEnd> {
  return giveBack(context, { fence, delayMs, failed: false, detail: null, lane, needs, isOverScratch })
}

/** Runs in the transaction of a move, if the fence allows the move: once, however often it is reported. */
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
  {
    alongside = nothing,
    engineMs,
    times,
    from,
  }: Pick<Attempt, 'from' | 'times'> & { alongside?: Alongside; engineMs?: number | undefined } = {},
): Promise<WriteEnd> {
  const settled = await context.database.transaction(async (tx) => {
    const end = await settleTasks(tx, context, { roots: [fence.taskId], reach: 'descendants' }, (tasks) => {
      return holds(tasks, fence) ? [{ id: fence.taskId, to: 'failed', failure: cause, engineMs, times, from }] : []
    })
    if (end) await alongside(tx)
    return end
  })
  if (!settled) return refused(context)
  await announce(context, settled)
  return 'written'
}

async function nothing(): Promise<void> {}

/** Whether the worker still has the lease: this attempt, claimed by it and not ended. */
function holds(tasks: ReadonlyMap<ObjectId, LockedTask>, { taskId, attempt, workerId }: Fence): boolean {
  const task = tasks.get(taskId)
  return task?.status === 'processing' && task.attempt === attempt && task.workerId === workerId
}

function refused({ metrics }: Context): WriteEnd {
  metrics.staleWrites.inc()
  return 'refused'
}
