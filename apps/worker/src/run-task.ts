import { failure, isFailure, kindOf } from '@lathe/domain'
import { SealingKeyMissing } from '@lathe/runtime'
import { watchAllowance } from './allowance.ts'
import { reportEnd } from './report-end.ts'
import { runExport } from './run-export.ts'
import { runImport } from './run-import.ts'
import { runProcessing } from './run-processing.ts'
import type { Services } from './services.ts'
import type { RunEnd, TaskRun } from './task-run.ts'

const runnerOf = { import: runImport, process: runProcessing, export: runExport } as const

/** Does a claimed task and reports how it ended. What comes too late is refused by the fence, and said so in the log. */
export async function runTask(services: Services, run: TaskRun): Promise<void> {
  const { claim, log } = run
  const { task } = claim
  const startedAt = performance.now()
  const end = await attempt(services, run)
  // Stopped from outside: whoever stopped it has written the task's end, or given it to another.
  if (end === 'stopped') return
  const written = await reportEnd(services.desk, run, end)
  const tookMs = Math.round(performance.now() - startedAt)
  services.metrics.taskDuration.observe({ operation: task.operation }, tookMs / 1000)
  if (written === 'refused') log.warn({ tookMs }, 'the task was no longer ours: nothing was written')
  else if (isFailure(end)) log.info({ tookMs, reason: end.code, detail: end.detail }, 'task failed')
  else log.info({ tookMs, count: end.files.length }, 'task finished')
}

async function attempt(services: Services, run: TaskRun): Promise<RunEnd | 'stopped'> {
  const { task, allowance } = run.claim
  using minutes = watchAllowance(allowance, run.signal)
  // What is done when its minutes end is not thrown away for it.
  const stopped = () =>
    run.signal.aborted ? 'stopped' : allowance && minutes.isOver ? failure(allowance.code) : undefined
  try {
    const end = await runnerOf[kindOf(task.operation)](services, { ...run, signal: minutes.signal })
    return isFailure(end) || run.signal.aborted ? (stopped() ?? end) : end
  } catch (err) {
    const why = stopped()
    if (why) return why
    run.log.error({ err }, 'a task broke on our side')
    if (err instanceof SealingKeyMissing) return failure('secrets_unreadable', { detail: err.message })
    return failure('internal', { detail: String(err) })
  }
}
