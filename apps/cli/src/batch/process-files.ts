import { basename, join } from 'node:path'
import {
  type ApiEvent,
  InvalidRequestError,
  type Lathe,
  LatheError,
  type Operation,
  type OptionSet,
  type ResultFile,
  type RunOptions,
} from '@lathe/sdk'
import { exitCodes } from '../exit-codes.ts'
import type { GivenOptions } from '../option-flags.ts'
import { type OptionValues, toOptionValues } from '../option-values.ts'
import { type FoundFile, sourceOf } from './find-files.ts'
import { exists, folderOf, formatOf, nameOf, safeName, saveAs } from './place.ts'
import { type IsInput, recognizeInputs, wouldOverwriteInput } from './recognize-inputs.ts'
import { createReporter, type Outcome, type Reporter } from './reporter.ts'
import { runBatch } from './run-batch.ts'

/** The flags of all commands that process files. */
export interface BatchFlags {
  readonly output?: string
  readonly keepTree?: boolean
  readonly recursive?: boolean
  readonly skipExisting?: boolean
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly concurrency: number
  readonly preset?: string
  readonly from?: string
}

/** What is done with each file. */
export interface FileOperation {
  readonly operation: Operation
  /** The extension of the result; that of the file by default. */
  readonly to?: string
  readonly given: GivenOptions
  /** Additional inputs for every file, by role. */
  readonly beside?: Readonly<Record<string, string>>
}

const sendingShare = 0.3
const convertingShare = 0.95

/** Sends files, runs one operation on each, and saves the results. Returns the exit code. */
export async function processFiles(
  lathe: Lathe,
  files: readonly FoundFile[],
  what: FileOperation,
  flags: BatchFlags,
  signal: AbortSignal,
  onEnded?: (file: FoundFile, outcome: Outcome) => void | Promise<void>,
): Promise<number> {
  const optionsOf = createOptionsOf(lathe, what)
  await checkOptions(files, what, flags, optionsOf)
  const reporter = createReporter(flags)
  const isInput = await recognizeInputs([...files, ...Object.values(what.beside ?? {}).map((path) => ({ path }))])
  const shared = { lathe, what, flags, reporter, signal, taken: new Map<string, string>(), optionsOf, isInput }
  const process = (file: FoundFile) => processFile({ ...shared, file })
  const { failed } = await runBatch({
    files,
    atOnce: flags.concurrency,
    reporter,
    signal,
    process,
    ...(onEnded && { onEnded }),
  })
  return failed > 0 ? exitCodes.someFailed : exitCodes.ok
}

type OptionsOf = (from: string) => Promise<OptionSet>

/** Loads the options of each pair of formats once. */
function createOptionsOf(lathe: Lathe, { operation, to }: FileOperation): OptionsOf {
  const asked = new Map<string, Promise<OptionSet>>()
  return (from) => {
    const known = asked.get(from) ?? lathe.options(operation, { from, ...(to && { to }) } as never)
    asked.set(from, known)
    return known
  }
}

/** An invalid option affects the whole command: it is reported before anything is sent. */
async function checkOptions(
  files: readonly FoundFile[],
  { given }: FileOperation,
  { from }: BatchFlags,
  optionsOf: OptionsOf,
): Promise<void> {
  if (given.size === 0) return
  for (const format of new Set(files.map((file) => from ?? formatOf(file)))) {
    const set = await optionsOf(format).catch((error: unknown) => {
      // A file whose format cannot be converted fails alone.
      if (error instanceof InvalidRequestError) return undefined
      throw error
    })
    if (set) toOptionValues(given, set)
  }
}

interface OneFile {
  readonly lathe: Lathe
  readonly file: FoundFile
  readonly what: FileOperation
  readonly flags: BatchFlags
  readonly reporter: Reporter
  readonly signal: AbortSignal
  /** The source file of each result path. */
  readonly taken: Map<string, string>
  readonly optionsOf: OptionsOf
  readonly isInput: IsInput
}

async function processFile(one: OneFile): Promise<Outcome> {
  const { file, what, flags, signal, taken } = one
  const folder = folderOf(file, flags)
  const target = join(folder, what.to ? nameOf(file, what.to) : basename(file.inTree))
  const other = taken.get(target)
  if (other) throw new LatheError(`The result of ${other} is ${target} already. Use --keep-tree, or another --output.`)
  taken.set(target, file.path)
  if (flags.skipExisting && (await exists(target))) return { status: 'skipped', file: file.path, outputs: [target] }
  await refuseInputs([target], one.isInput)
  if (!flags.force) await refuseExisting([target])
  const options =
    what.given.size > 0 ? toOptionValues(what.given, await one.optionsOf(flags.from ?? formatOf(file))) : {}
  if (flags.dryRun) {
    await one.optionsOf(flags.from ?? formatOf(file))
    return { status: 'planned', file: file.path, outputs: [target] }
  }
  const startedAt = Date.now()
  const results = await convert(one, options)
  const bytes = results.reduce((sum, { size }) => sum + size, 0)
  // The number and names of the results are known only now.
  const outputs = results.length === 1 ? [target] : results.map(({ name }) => join(folder, safeName(name)))
  if (results.length > 1) await refuseInputs(outputs, one.isInput)
  if (results.length > 1 && !flags.force) await refuseExisting(outputs)
  one.reporter.step({ file: file.path, share: convertingShare, doing: 'saving' })
  for (const [n, result] of results.entries()) await saveAs(result, outputs[n] ?? target, signal)
  return { status: 'done', file: file.path, outputs, bytes, ms: Date.now() - startedAt }
}

async function refuseInputs(paths: readonly string[], isInput: IsInput): Promise<void> {
  for (const path of paths) if (await isInput(path)) throw new LatheError(wouldOverwriteInput(path))
}

async function refuseExisting(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (await exists(path)) throw new LatheError(`${path} exists. Use --force to replace it, or --skip-existing.`)
  }
}

async function convert(
  { lathe, file, what, flags, reporter, signal }: OneFile,
  options: OptionValues,
): Promise<readonly ResultFile[]> {
  const reported = { file: file.path }
  const run: RunOptions = {
    signal,
    ...(flags.preset && { preset: flags.preset }),
    ...(flags.from && { inputFormat: flags.from }),
    onProgress: (sent, size) =>
      reporter.step({ ...reported, share: (sendingShare * sent) / (size || 1), doing: 'sending' }),
    onEvent: (event) => reporter.step({ ...reported, ...stepOf(event) }),
  }
  const to = what.to && { to: what.to as never }
  const beside = what.beside && { files: what.beside }
  return lathe.run(what.operation, sourceOf(file), options as never, { ...run, ...to, ...beside })
}

function stepOf({ type, data }: ApiEvent): { readonly share: number; readonly doing: 'waiting' | 'converting' } {
  const percent = 'task' in data ? (data.task.progress?.percent ?? 0) : 0
  const share = sendingShare + ((convertingShare - sendingShare) * percent) / 100
  return { share, doing: type === 'job.created' || type === 'task.created' ? 'waiting' : 'converting' }
}
