import type { FileRecord, NewFile } from '@lathe/database'
import { type Failure, failure, isFailure, type ProcessingOperation } from '@lathe/domain'
import { type Plan, planTask, type SourceFile, type Step } from '@lathe/engines'
import { detectFormat, detectionBytes, findFormat, resolveFormat } from '@lathe/formats'
import { failureOf, type JobFolder } from '@lathe/sandbox'
import { objectKey } from '@lathe/storage'
import { inputFiles } from './input-files.ts'
import { convertedName, numberedNames } from './output-names.ts'
import type { Services } from './services.ts'
import type { RunEnd, TaskRun } from './task-run.ts'

/** Fetches the inputs, asks an engine for a plan, runs it in the sandbox and stores what comes out. */
export async function runProcessing(services: Services, run: TaskRun): Promise<RunEnd> {
  const inputs = inputFiles(run.claim.inputs, services.clock.now())
  if (isFailure(inputs)) return inputs
  await using folder = await services.sandbox.createJobFolder()
  const fetched = await fetchSources(services, run, folder, inputs)
  if (isFailure(fetched)) return fetched
  const files: NewFile[] = []
  const warnings = new Set(fetched.warnings)
  for (const group of groupSources(run, fetched.sources)) {
    const end = await runGroup(services, run, { folder, sources: group, firstOutput: files.length })
    if (isFailure(end)) return end
    files.push(...end.files)
    for (const warning of end.warnings) warnings.add(warning)
  }
  return { kind: 'done', files: renamed(run, files), warnings: [...warnings] }
}

interface Fetched {
  readonly sources: readonly SourceFile[]
  readonly warnings: readonly string[]
}

/** Streams the inputs into the job folder under names of ours, and settles what each of them is. */
async function fetchSources(
  { store }: Services,
  { claim, signal }: TaskRun,
  folder: JobFolder,
  inputs: readonly FileRecord[],
): Promise<Fetched | Failure> {
  const declared = typeof claim.task.payload.input_format === 'string' ? claim.task.payload.input_format : undefined
  const sources: SourceFile[] = []
  const warnings: string[] = []
  for (const [i, { key, filename, format, size }] of inputs.entries()) {
    const body = await store.open(key, { signal })
    if (!body) return failure('input_expired')
    const file = `in-${i}.${findFormat(format)?.ext ?? 'bin'}`
    await using target = await folder.createFile(file)
    let head: Buffer = Buffer.alloc(0)
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (head.length < detectionBytes) head = Buffer.concat([head, chunk.subarray(0, detectionBytes - head.length)])
      await target.write(chunk)
    }
    const { ext, warning } = resolveFormat({ detected: detectFormat(head), declared, filename })
    if (!ext) return failure('unsupported', { text: 'The format of the input is not known. Name it as input_format.' })
    if (warning) warnings.push(warning)
    sources.push({ file, format: ext, size, filename })
  }
  return { sources, warnings }
}

/** What one plan can take: all files of a merge; otherwise files of one format, for the format decides engine and target. */
function groupSources({ claim }: TaskRun, sources: readonly SourceFile[]): readonly (readonly SourceFile[])[] {
  if (claim.task.operation === 'merge') return [sources]
  return sources.map((source) => [source])
}

interface Group {
  readonly folder: JobFolder
  readonly sources: readonly SourceFile[]
  readonly firstOutput: number
}

async function runGroup(services: Services, run: TaskRun, group: Group): Promise<RunEnd> {
  const { task } = run.claim
  const [first] = group.sources
  const to = typeof task.payload.output_format === 'string' ? task.payload.output_format : (first?.format ?? '')
  const options = (task.payload.options ?? {}) as Record<string, unknown>
  const plan = planTask({ operation: task.operation as ProcessingOperation, sources: group.sources, to, options })
  if (isFailure(plan)) return plan
  const warnings = [...plan.warnings]
  for (const step of plan.steps) {
    const end = await runStep(services, run, group.folder, step)
    if (isFailure(end)) return end
    warnings.push(...end)
  }
  const files = await storeOutputs(services, run, group, plan)
  return isFailure(files) ? files : { kind: 'done', files, warnings }
}

/** Runs one step; gives the engine's warnings. */
async function runStep(
  { sandbox, runners, engineTurns }: Services,
  { claim, signal, progress }: TaskRun,
  folder: JobFolder,
  step: Step,
): Promise<readonly string[] | Failure> {
  using _turn = await engineTurns.take(signal)
  if (step.kind === 'process') return failureOf(await sandbox.run(step, { folder, signal })) ?? []
  const { request, limits } = step
  const end = await runners[step.runner].call(claim.task.ownerId, request, {
    folder,
    limits,
    signal,
    onProgress: progress,
  })
  if (isFailure(end)) return end
  return Array.isArray(end.result.warnings) ? end.result.warnings.map(String) : []
}

async function storeOutputs(
  { sandbox, store }: Services,
  { claim, signal }: TaskRun,
  { folder, sources, firstOutput }: Group,
  plan: Plan,
): Promise<readonly NewFile[] | Failure> {
  const files: NewFile[] = []
  for (const [i, { file, format, source }] of plan.outputs.entries()) {
    const opened = await sandbox.openOutput(folder, file)
    if (isFailure(opened)) return opened
    await using output = opened
    const n = firstOutput + i
    const key = objectKey({ taskId: claim.task.id, attempt: claim.fence.attempt, n })
    const { size, sha256, crc32 } = await store.put(key, output.stream(), { signal })
    const filename = convertedName(sources[source ?? 0]?.filename ?? '', format)
    files.push({ n, key, format, size, sha256, crc32, filename })
  }
  return files
}

function renamed({ claim }: TaskRun, files: readonly NewFile[]): readonly NewFile[] {
  const { filename } = claim.task.payload
  if (typeof filename !== 'string') return files
  const names = numberedNames(
    filename,
    files.map(({ format }) => format),
  )
  return files.map((file, i) => ({ ...file, filename: names[i] ?? file.filename }))
}
