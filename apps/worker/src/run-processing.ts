import type { NewFile } from '@lathe/database'
import { isFailure, type ProcessingOperation } from '@lathe/domain'
import { type PlanRequest, planTask, type SourceFile } from '@lathe/engines'
import { runPlan } from '@lathe/sandbox'
import { fetchSources } from './fetch-sources.ts'
import { inputFiles } from './input-files.ts'
import { numberedNames } from './output-names.ts'
import type { Services } from './services.ts'
import { storeOutputs } from './store-outputs.ts'
import type { RunEnd, TaskRun } from './task-run.ts'
import { withSecrets } from './with-secrets.ts'

/** Fetches the inputs, asks an engine for a plan, runs it in the sandbox and stores what comes out. */
export async function runProcessing(services: Services, run: TaskRun): Promise<RunEnd> {
  const inputs = inputFiles(run.claim.inputs, services.clock.now())
  if (isFailure(inputs)) return inputs
  await using folder = await services.sandbox.createJobFolder()
  const fetched = await fetchSources(services, run, folder, inputs)
  if (isFailure(fetched)) return fetched
  const files: NewFile[] = []
  const warnings = new Set(fetched.warnings)
  const { sandbox, runners, engineTurns } = services
  const workshop = { sandbox, runners, takeTurn: engineTurns.take }
  const groups = groupSources(run, fetched.sources)
  for (const [i, sources] of groups.entries()) {
    const plan = planTask(toRequest(services, run, sources))
    if (isFailure(plan)) return plan
    const onProgress = (share: number) => run.progress((i + share) / groups.length)
    const { ownerId } = run.claim.task
    const end = await runPlan(workshop, { plan, folder, ownerId, signal: run.signal, onProgress })
    if (isFailure(end)) return end
    const stored = await storeOutputs(services, run, {
      folder,
      sources,
      outputs: end.outputs,
      firstOutput: files.length,
    })
    if (isFailure(stored)) return stored
    files.push(...stored.files)
    for (const warning of [...end.warnings, ...stored.warnings]) warnings.add(warning)
  }
  return { kind: 'done', files: renamed(run, files), warnings: [...warnings] }
}

/** What one plan can take: all files of a merge; otherwise one file, for its format decides engine and target. */
function groupSources({ claim }: TaskRun, sources: readonly SourceFile[]): readonly (readonly SourceFile[])[] {
  if (claim.task.operation === 'merge') return [sources]
  return sources.map((source) => [source])
}

function toRequest({ sealer }: Services, { claim }: TaskRun, sources: readonly SourceFile[]): PlanRequest {
  const payload = withSecrets(sealer, claim)
  const to = typeof payload.output_format === 'string' ? payload.output_format : (sources[0]?.format ?? '')
  const options = (payload.options ?? {}) as Record<string, unknown>
  return { operation: claim.task.operation as ProcessingOperation, sources, to, options }
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
