import type { FileRecord, NewFile } from '@lathe/database'
import { type DisabledFormat, explainDisabled, failure, findDisabled, isFailure } from '@lathe/domain'
import { type CostQuestion, expectedLane, familyOf, type PlanRequest, planTask } from '@lathe/engines'
import { findFormat } from '@lathe/formats'
import { type ProcessingOperation, takesTogether, usualOutput } from '@lathe/operations'
import { type JobFolder, RunnerUnavailable, runPlan } from '@lathe/sandbox'
import { type Fetched, fetchSources } from './fetch-sources.ts'
import { GiveBack } from './give-back.ts'
import { inputFiles, roleFiles } from './input-files.ts'
import { nextFamily } from './next-family.ts'
import { numberedNames } from './output-names.ts'
import { blameForFullDisk, isOutOfSpace, requireScratch } from './scratch-need.ts'
import type { Services } from './services.ts'
import { storeOutputs } from './store-outputs.ts'
import type { RunEnd, TaskRun } from './task-run.ts'
import { openOptions } from './with-secrets.ts'

/** Fetches the inputs, gets a plan from an engine, runs it in the sandbox and stores its outputs. */
export async function runProcessing(services: Services, run: TaskRun): Promise<RunEnd> {
  const inputs = inputFiles(run.claim.inputs, run.claim.claimedAt)
  if (isFailure(inputs)) return inputs
  const roles = roleFiles(run.claim, run.claim.claimedAt)
  if (isFailure(roles)) return roles
  const question = toQuestion(run, inputs)
  leaveToOthers(services, run, question)
  const isSlow = services.slowOwners.has(run.claim.task.ownerId)
  if (isSlow || expectedLane(question) === 'long') run.engine.expectLong()
  const files: NewFile[] = []
  const warnings = new Set<string>()
  const groups = groupInputs(run, inputs)
  for (const [i, group] of groups.entries()) {
    const onProgress = (share: number) => run.progress((i + share) / groups.length)
    const isLast = i === groups.length - 1
    const end = await runGroup(services, run, {
      inputs: group,
      roles,
      firstOutput: files.length,
      isLast,
      onProgress,
    }).catch((error) => passOn(run, question, error))
    if (isFailure(end)) return end
    files.push(...end.files)
    for (const warning of end.warnings) warnings.add(warning)
  }
  return { kind: 'done', files: renamed(run, files), warnings: [...warnings] }
}

/** What is known about a task's cost before any of its files is fetched. */
function toQuestion({ claim }: TaskRun, sources: readonly FileRecord[]): CostQuestion {
  const { output_format: to, options = {} } = claim.task.payload
  const operation = claim.task.operation as ProcessingOperation
  return { operation, sources, to, options }
}

/** Requeues a task that needs engines which this worker does not serve, unless another worker has passed it on. */
function leaveToOthers(
  { work: { families } }: Services,
  { claim }: TaskRun,
  { sources, ...question }: CostQuestion,
): void {
  const needs = familyOfFirst({ sources, ...question })
  const isSent = claim.needs !== null && families.includes(claim.needs)
  if (needs && !isSent && !families.includes(needs)) throw new GiveBack('engine_not_here', { needs })
}

const familyOfFirst = ({ sources: [first], ...question }: CostQuestion) =>
  first && familyOf({ ...question, from: first.format })

/** Passes on a task that needs a tool which this worker does not have. */
function passOn({ claim }: TaskRun, question: CostQuestion, error: unknown): never {
  if (!(error instanceof RunnerUnavailable)) throw error
  const needs = nextFamily({ tool: error.runner, first: familyOfFirst(question), queuedFor: claim.needs })
  throw new GiveBack('engine_not_here', { needs })
}

/** The inputs of each plan: all files if they make one result; otherwise one file, as its format decides the plan. */
function groupInputs({ claim }: TaskRun, inputs: readonly FileRecord[]): readonly (readonly FileRecord[])[] {
  return takesTogether(claim.task.operation as ProcessingOperation) ? [inputs] : inputs.map((input) => [input])
}

interface Group {
  readonly inputs: readonly FileRecord[]
  /** Further files by role; every group gets them. */
  readonly roles: Readonly<Record<string, FileRecord>>
  readonly firstOutput: number
  /** Whether no engine is needed after this group. */
  readonly isLast: boolean
  onProgress(share: number): void
}

/** Processes one group in its own folder: no plan finds files of an earlier one. */
async function runGroup(services: Services, run: TaskRun, group: Group): Promise<RunEnd> {
  const { sandbox, scratch } = services
  const inputBytes = [...group.inputs, ...Object.values(group.roles)].reduce((sum, { size }) => sum + size, 0)
  requireScratch(scratch, inputBytes)
  await using folder = await sandbox.createJobFolder()
  const { path } = folder
  const end = await runIn(services, run, folder, group).catch(async (cause) => {
    if (isOutOfSpace(cause)) await blameForFullDisk(scratch, { path, inputBytes, cause })
    throw cause
  })
  // An engine that runs out of disk space may fail in any way.
  if (isFailure(end) && (await scratch.isFull())) {
    await blameForFullDisk(scratch, { path, inputBytes, cause: end.detail ?? end.code })
  }
  return end
}

async function runIn(services: Services, run: TaskRun, folder: JobFolder, group: Group): Promise<RunEnd> {
  const { inputs, roles, firstOutput, isLast, onProgress } = group
  const { sandbox, runners } = services
  const fetched = await run.times.measure('fetch', () => fetchSources(services, run, folder, inputs, roles))
  if (isFailure(fetched)) return fetched
  const { sources } = fetched
  const request = toRequest(services, run, fetched)
  const disabled = await findDisabledSource(services, request)
  if (disabled) return failure('format_disabled', { text: explainDisabled(disabled) })
  const plan = planTask(request)
  if (isFailure(plan)) return plan
  const workshop = { sandbox, runners, takePermit: run.engine.takePermit }
  const ownerId = sharingOf(run)
  const { givesWay } = run.engine
  const end = await runPlan(workshop, { plan, folder, ownerId, signal: run.signal, givesWay, onProgress })
  if (isFailure(end)) return end
  if (isLast) run.engine.end()
  const outputs = { folder, sources, outputs: end.outputs, firstOutput }
  const stored = await run.times.measure('store', () => storeOutputs(services, run, outputs))
  if (isFailure(stored)) return stored
  return { kind: 'done', files: stored.files, warnings: [...fetched.warnings, ...end.warnings, ...stored.warnings] }
}

/** Whose warm engines a task may use: those that have only seen files of the same owner, with the same isolation. */
export function sharingOf({ claim: { task } }: Pick<TaskRun, 'claim'>): string {
  const { isolation } = task.payload
  if (isolation === undefined) return task.ownerId
  return `${task.ownerId}/${isolation === 'task' ? `task-${task.id}` : `own-${isolation}`}`
}

/** The rule that forbids a task now that its formats are known, even if the rule is newer than the task. */
async function findDisabledSource(
  { disabledFormats }: Services,
  { sources, to }: PlanRequest,
): Promise<DisabledFormat | undefined> {
  const rules = await disabledFormats.rules()
  const nameOf = (format: string) => findFormat(format)?.ext ?? format
  return sources
    .map(({ format }) => findDisabled(rules, { from: nameOf(format), to: nameOf(to) }))
    .find((rule) => rule !== undefined)
}

function toRequest({ sealer }: Services, { claim }: TaskRun, { sources, roles }: Fetched): PlanRequest {
  const operation = claim.task.operation as ProcessingOperation
  const to = claim.task.payload.output_format ?? usualOutput(operation, sources[0]?.format ?? '') ?? ''
  return { operation, sources, roles, to, options: openOptions(sealer, claim) }
}

function renamed({ claim }: TaskRun, files: readonly NewFile[]): readonly NewFile[] {
  const { filename } = claim.task.payload
  if (filename === undefined) return files
  const names = numberedNames(
    filename,
    files.map(({ format }) => format),
  )
  return files.map((file, i) => ({ ...file, filename: names[i] ?? file.filename }))
}
