import { lstat, readdir, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanWarnings, type Failure, failure, isFailure, nameFile } from '@lathe/domain'
import {
  type CallStep,
  type Findings,
  type JsonObject,
  maxRounds,
  type Plan,
  type ProcessStep,
  type Step,
  type StepExit,
  type Tolerated,
} from '@lathe/engines'
import { fileIn, type JobFolder } from '../job-folder.ts'
import { failureOf } from '../run.ts'
import type { Sandbox } from '../sandbox.ts'
import { type RunnerCalls, RunnerUnavailable } from './open-runners.ts'
import { createProgress } from './progress.ts'

/** Everything that running a plan needs. */
export interface Workshop {
  readonly sandbox: Pick<Sandbox, 'run'>
  readonly runners: Pick<RunnerCalls, 'call'> & Partial<Pick<RunnerCalls, 'lacking'>>
  /** Waits until the engine of a step may run. `since`: when the step began to wait for a runner. */
  takePermit(signal: AbortSignal, step: Step, since?: number): Promise<Disposable>
}

export interface PlanRun {
  readonly plan: Plan
  readonly folder: JobFolder
  /** The owner of the files. Warm runners are never shared between owners. */
  readonly ownerId: string
  readonly signal: AbortSignal
  /** Whether its programs give way to other engines on the cores. */
  readonly givesWay?: boolean
  /** Called with the share of the whole that is done, from 0 to 1, never less than before. */
  onProgress?(share: number): void
}

export type PlanEnd = Pick<Plan, 'outputs' | 'warnings'> | Failure

/** The result of one step, for the plan that follows. */
interface Left {
  readonly stdout: string
  readonly result: JsonObject
  readonly warnings: readonly string[]
  readonly hasFailed: boolean
}

/** Runs a plan and the plans it returns, until one has no successor. */
export async function runPlan(workshop: Workshop, run: PlanRun): Promise<PlanEnd> {
  const { folder } = run
  const warnings: string[] = []
  const progress = createProgress((share) => run.onProgress?.(share))
  let current: Plan = run.plan
  for (let round = 0; round < maxRounds; round += 1) {
    warnings.push(...current.warnings)
    if (current.takesOver) await takeOver(folder, current.takesOver)
    progress.begin(
      current.steps.map(({ weight = 1 }) => weight),
      current.next !== undefined,
    )
    const left: Left[] = []
    for (const [i, step] of current.steps.entries()) {
      const onProgress = (share: number) => progress.tell(i, share)
      await write(folder, step.writes ?? [])
      const end = await runStep(workshop, { run, step, onProgress })
      if (isFailure(end)) return end
      left.push(end)
    }
    warnings.push(...left.flatMap((one) => one.warnings))
    const next = current.next?.(await lookAt(folder, left))
    // Several steps may have raised the same warning.
    if (next === undefined) return { outputs: current.outputs, warnings: cleanWarnings(warnings) }
    if (isFailure(next)) return next
    current = next
  }
  return failure('limit_exceeded', { detail: 'the engine planned on and on' })
}

// No step runs meanwhile, so nothing changes between listing the names and removing them. A folder that an engine
// created stays: it is never mistaken for a file.
async function takeOver({ path }: JobFolder, { file, as }: NonNullable<Plan['takesOver']>): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.name !== file && !entry.isDirectory()) await unlink(join(path, entry.name))
  }
  await rename(fileIn(path, file), fileIn(path, as))
}

async function write(folder: JobFolder, files: NonNullable<ProcessStep['writes']>): Promise<void> {
  for (const { file, text } of files) {
    // A later step may write the same name again. It is then a new file, so a link that an engine left is not followed.
    await rm(fileIn(folder.path, file), { force: true })
    await using target = await folder.createFile(file)
    await target.writeFile(text)
  }
}

interface StepRun<S> {
  readonly run: PlanRun
  readonly step: S
  readonly onProgress: (share: number) => void
}

async function runStep(workshop: Workshop, stepRun: StepRun<CallStep | ProcessStep>): Promise<Left | Failure> {
  const { step } = stepRun
  const end = await (step.kind === 'call'
    ? callRunner(workshop, { ...stepRun, step })
    : runProcess(workshop, { ...stepRun, step }))
  stepRun.onProgress(1)
  return step.about === undefined ? end : named(step.about, end)
}

// With many files the message must name the one it is about.
function named(about: string, end: Left | Failure): Left | Failure {
  if (isFailure(end)) return nameFile(about, end)
  return { ...end, warnings: end.warnings.map((warning) => `${about}: ${warning}`) }
}

async function callRunner(
  { runners, takePermit }: Workshop,
  { run, step, onProgress }: StepRun<CallStep>,
): Promise<Left | Failure> {
  const { request, limits, runner } = step
  const { folder, signal, ownerId, givesWay = false } = run
  let since: number | undefined = performance.now()
  const permits = (stop: AbortSignal) => {
    const waitingSince = since
    // A second request follows the death of a runner: the time until then was not waiting.
    since = undefined
    return takePermit(stop, step, waitingSince)
  }
  const options = { folder, limits, signal, givesWay, onProgress, takePermit: permits }
  const end = await runners.call(runner, ownerId, request, options)
  if (isFailure(end)) return toLeft(step.readFailure?.(end) ?? end, '')
  const { result } = end
  return { stdout: '', result: result as JsonObject, warnings: cleanWarnings(result.warnings), hasFailed: false }
}

const maxCaptured = 1024 ** 2

async function runProcess(
  { sandbox, runners, takePermit }: Workshop,
  { run, step, onProgress }: StepRun<ProcessStep>,
): Promise<Left | Failure> {
  if (runners.lacking?.includes(step.profile)) throw new RunnerUnavailable(step.profile)
  using _turn = await takePermit(run.signal, step)
  let stdout = ''
  const onLine = (line: string) => {
    if (step.capture && stdout.length < maxCaptured) stdout += `${line}\n`
    const share = step.readProgress?.(line)
    if (share !== undefined) onProgress(share)
  }
  const { folder, signal, givesWay = false } = run
  const end = await sandbox.run(step, { folder, signal, givesWay, onLine })
  const known = end.kind === 'exited' ? readEnd(step, end) : undefined
  if (known === undefined) return failureOf(end) ?? { stdout, result: {}, warnings: [], hasFailed: false }
  return toLeft(known, stdout)
}

function toLeft(known: Failure | Tolerated, stdout: string): Left | Failure {
  if (isFailure(known)) return known
  const { warning, hasFailed = false } = known
  return { stdout, result: {}, warnings: warning === undefined ? [] : [warning], hasFailed }
}

function readEnd(step: ProcessStep, end: StepExit): ReturnType<NonNullable<ProcessStep['readExit']>> {
  return end.code === 0 ? step.readLog?.(end.stderr) : step.readExit?.(end)
}

async function lookAt({ path }: JobFolder, left: readonly Left[]): Promise<Findings> {
  const sizes: Record<string, number> = {}
  for (const name of await readdir(path)) {
    // A name that has disappeared was never one of our files.
    const stats = await lstat(join(path, name)).catch(() => undefined)
    if (stats?.isFile()) sizes[name] = stats.size
  }
  const [stdout, results] = [left.map((one) => one.stdout), left.map(({ result }) => result)]
  return { stdout, results, failed: left.map(({ hasFailed }) => hasFailed), sizes }
}
