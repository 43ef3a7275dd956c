import type { NewFile } from '@lathe/database'
import { type Failure, failure, isFailure, type ObjectId, slowestTransfer } from '@lathe/domain'
import { familyOfTool } from '@lathe/engines'
import { kindOf } from '@lathe/operations'
import { type EndCause, noSpan, SealingKeyMissing, type Span, traced } from '@lathe/runtime'
import { EngineHostLost, RunnerUnavailable } from '@lathe/sandbox'
import { createEngineRun } from './engine-run.ts'
import type { EngineSlot } from './engine-slots.ts'
import { GiveBack } from './give-back.ts'
import { StorageFault } from './patient-store.ts'
import { reportEnd } from './report-end.ts'
import { runExport } from './run-export.ts'
import { runImport } from './run-import.ts'
import { createRunKeys } from './run-keys.ts'
import { runProcessing } from './run-processing.ts'
import { createRunTimes } from './run-times.ts'
import { isOutOfSpace, noScratchLeft, ScratchExceeded } from './scratch-need.ts'
import type { Services } from './services.ts'
import type { ClaimedTask, RunEnd, TaskRun } from './task-run.ts'
import { createPace, type TransferSlot } from './transfer-gate.ts'

// The end of an engine's output shows why it failed. The whole output may contain 64 KiB of a customer's file.
const loggedDetail = 2048

// For tasks that need no transfer slot.
const noTransfer = { pace: createPace(), signal: new AbortController().signal, endedBy: undefined }

const runnerOf = { import: runImport, process: runProcessing, export: runExport } as const

/** Runs a claimed task and reports how it ended. The fence refuses a late result, which is logged. */
export async function runTask(services: Services, claimed: ClaimedTask): Promise<void> {
  const { claim, rank, log, signal, slot, transfer = noTransfer, progress, span = noSpan } = claimed
  const { task } = claim
  const { enginePermits: permits, engineNotes: notes } = services
  using engine = createEngineRun({ claim, rank, signal, slot, permits, notes, span })
  const times = createRunTimes({ wait: claim.wait, span, engine })
  const keyOf = createRunKeys(claim.fence, keptWith(claim))
  const run = { claim, log, signal, progress, span, engine, times, pace: transfer.pace, keyOf }
  const startedAt = performance.now()
  const end = await attempt(services, run, { transfer, slot })
  if (isFailure(end) && end.code === 'engine_timeout') services.slowOwners.note(claim.task.ownerId, 2)
  // Stopped from outside: the task has already been ended, or assigned to another worker.
  if (end === 'stopped') return noteOutcome(span, 'stopped')
  // The engines are done, however it ended. Reporting may take as long as PostgreSQL is unavailable.
  engine.end()
  if (end instanceof GiveBack) return await giveBack(services, run, end)
  const written = await traced(span, 'report', () => reportEnd(services.desk, run, end))
  noteOutcome(span, written === 'refused' ? written : isFailure(end) ? end.code : 'done')
  const tookMs = Math.round(performance.now() - startedAt)
  services.metrics.taskDuration.observe({ operation: task.operation }, tookMs / 1000)
  if (written === 'written') observeTotal(services, claim, tookMs)
  if (written === 'out_of_storage' && !isFailure(end)) await eraseFiles(services, run, end.files)
  if (written === 'refused') log.warn({ tookMs }, 'task is no longer assigned to this worker, result dropped')
  else if (isFailure(end))
    log.info({ tookMs, reason: end.code, detail: end.detail?.slice(-loggedDetail) }, 'task failed')
  else if (written === 'out_of_storage') log.info({ tookMs, reason: written }, 'task failed')
  else log.info({ tookMs, count: end.files.length }, 'task finished')
}

/** The task whose files the outputs expire with: a preview expires with the file it shows. */
function keptWith({ task: { id, previewFile, dependsOn } }: ClaimedTask['claim']): ObjectId {
  return typeof previewFile === 'number' ? (dependsOn[0] ?? id) : id
}

function noteOutcome(span: Span, outcome: string): void {
  span.set({ 'lathe.outcome': outcome })
}

/** From creation to claim by PostgreSQL's clock, then by the measured duration: the clock here may be wrong. */
function observeTotal({ metrics }: Services, { task, wait }: ClaimedTask['claim'], tookMs: number): void {
  const beforeMs = Math.max(0, task.updatedAt.getTime() - task.createdAt.getTime())
  metrics.totalDuration.observe({ pool: wait.pool, lane: wait.lane }, (beforeMs + tookMs) / 1000)
}

// No row refers to them, and their owner has no storage left. Files that cannot be deleted now expire with their
// prefix.
async function eraseFiles({ store }: Services, { log }: TaskRun, files: readonly NewFile[]): Promise<void> {
  const keys = files.map(({ key }) => key)
  await store.delete(keys).catch((err) => log.warn({ err }, 'outputs over the storage limit not deleted'))
}

// If PostgreSQL does not receive this, the heartbeat requeues the task as a lease that no run holds.
async function giveBack({ desk, metrics }: Services, { claim, log, span }: TaskRun, how: GiveBack): Promise<void> {
  noteOutcome(span, `given back: ${how.reason}`)
  metrics.givenBack.inc({ reason: how.reason })
  await desk.giveBack(claim.fence, how)
  log.info({ reason: how.reason, err: how.cause }, 'task requeued')
}

async function attempt(
  services: Services,
  run: TaskRun,
  { transfer, slot }: { transfer: Pick<TransferSlot, 'signal' | 'endedBy'>; slot: EngineSlot | undefined },
): Promise<RunEnd | GiveBack | 'stopped'> {
  const { task, allowance } = run.claim
  const { clock } = run.engine
  // A finished result is kept, even if the minutes are used up by then.
  const stopped = () =>
    run.signal.aborted
      ? 'stopped'
      : allowance && clock.isOver
        ? failure(allowance.code)
        : slot?.signal.aborted
          ? afterYield(services, run)
          : transfer.endedBy && afterSlowTransfer(run, transfer.endedBy)
  const signal = AbortSignal.any([clock.signal, transfer.signal, ...(slot ? [slot.signal] : [])])
  try {
    const end = await runnerOf[kindOf(task.operation)](services, { ...run, signal })
    if (!isFailure(end) && !run.signal.aborted) return end
    // An engine that runs out of disk space may fail in any way.
    return stopped() ?? ((await services.scratch.isFull()) ? diskIsFull(run) : end)
  } catch (err) {
    const why = stopped()
    if (why) return why
    if (err instanceof ScratchExceeded) return afterScratchExceeded(run, err)
    const back = err instanceof EngineHostLost ? afterHostLoss(run, err) : toGiveBack(run, err)
    if (back) return back
    run.log.error({ err }, 'task failed by an internal error')
    if (err instanceof SealingKeyMissing) return failure('secrets_unreadable', { detail: err.message })
    return failure('internal', { detail: String(err) })
  }
}

const firstDelayMs = 1_000
const longestDelayMs = 60_000

// The delay doubles each time, up to the maximum: a task survives an outage of a quarter of an hour.
const delayOf = ({ claim }: TaskRun) => Math.min(firstDelayMs * 2 ** (claim.fence.attempt - 1), longestDelayMs)

const diskIsFull = (run: TaskRun, cause?: unknown) => new GiveBack('disk', { delayMs: delayOf(run), cause })

/** The task takes longer than expected, and tasks of other owners wait for its engine. */
function afterYield({ slowOwners }: Services, { claim }: TaskRun): GiveBack {
  slowOwners.note(claim.task.ownerId)
  return new GiveBack('long', { lane: 'long' })
}

// Another worker may have more space.
const mostScratchReturns = 2

function afterScratchExceeded(run: TaskRun, cause: ScratchExceeded): GiveBack | Failure {
  if (run.claim.scratchReturns >= mostScratchReturns) return noScratchLeft(cause)
  return new GiveBack('disk', { delayMs: delayOf(run), isOverScratch: true, cause })
}

const tooSlowText = `The transfer was too slow: the other side must send or take at least ${slowestTransfer.bytesPerSecond / 1024} KiB per second, averaged over ten minutes.`
const waitedForText = 'The transfer was slow and was stopped several times, because other transfers waited for it.'
const slowAdvice = 'Try again when the connection is faster, or transfer the file another way.'

// Each requeue counts as a start. After this many the transfer fails, or it would begin anew again and again.
const mostSlowStarts = 5

/** A transfer that others waited for is tried again later; one that is too slow for anybody fails. */
function afterSlowTransfer(run: TaskRun, cause: EndCause): GiveBack | Failure {
  if (cause !== 'gave_way') return failure('limit_exceeded', { text: `${tooSlowText} ${slowAdvice}` })
  if (run.claim.fence.attempt < mostSlowStarts) return new GiveBack('slow_transfer', { delayMs: delayOf(run) })
  return failure('limit_exceeded', { text: `${waitedForText} ${slowAdvice}` })
}

/** Engines of other tasks die with the host too: only a task that ran alone at that moment counts as the cause. */
function afterHostLoss({ engine }: TaskRun, cause: EngineHostLost): GiveBack | Failure {
  const what = engine.afterHostLoss()
  if (what === 'crashed') return failure('engine_crashed', { detail: cause.message })
  return new GiveBack('engine_host', { cause, ...(what === 'alone' && { lane: 'alone' }) })
}

/** For errors that are not the task's or its owner's fault: the task is requeued, and no failure is counted. */
function toGiveBack(run: TaskRun, error: unknown): GiveBack | undefined {
  if (error instanceof GiveBack) return error
  if (error instanceof StorageFault) return new GiveBack('storage', { delayMs: delayOf(run), cause: error })
  if (error instanceof RunnerUnavailable) return new GiveBack('engine_not_here', { needs: familyOfTool(error.runner) })
  return isOutOfSpace(error) ? diskIsFull(run, error) : undefined
}
