import { type Failure, failure } from '@lathe/domain'
import { beyondDisk, beyondFile, beyondMemory } from './beyond-limit.ts'
import type { JobFolder } from './job-folder.ts'
import { createLineReader } from './line-reader.ts'
import { profileOf } from './profiles.ts'
import type { ProgramsAhead } from './programs-ahead.ts'
import type { ProcessEnd, SandboxedProcess } from './start-process.ts'
import { type FolderLimits, isOutgrown, measureFolder, watchFolder } from './watch-folder.ts'
import { watchLife } from './watch-life.ts'

/** The limits of one step. */
export interface StepLimits {
  readonly timeMs: number
  readonly memoryBytes: number
  readonly outputBytes: number
  /** The engine counts as hung after this time without a line, a byte written or CPU time. */
  readonly silenceMs?: number
}

/** A program to run in its own sandbox. */
export interface ProcessStep {
  readonly program: string
  readonly args: readonly string[]
  /** For Python: our modules, by name, in place of a script. The `main` of the first one is called. */
  readonly modules?: Readonly<Record<string, string>>
  readonly limits: StepLimits
  /** What it can see and use. Default: `plain`. */
  readonly profile?: string
}

export interface RunOptions {
  readonly folder: JobFolder
  readonly signal: AbortSignal
  /** Whether it gives way to other engines on the cores: for steps that take long anyway. */
  readonly givesWay?: boolean
  /** Called with every line that the program writes to standard output. */
  onLine?(line: string): void
}

/** What ended a run: its deadline, the watch for hung engines, its caller, one of its limits, or something outside. */
export type Killer = 'time' | 'silence' | 'caller' | 'memory' | 'disk' | 'system'

/** How a run ended. Not an exception: a failing converter is normal. */
export type RunEnd = (
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly by: Killer }
) & {
  readonly stderr: string
  /** The memory or disk limit it exceeded, as text for the owner of the file. */
  readonly beyond?: string
}

const maxLineLength = 64 * 1024

export interface RunParts {
  readonly host: RunHost
  readonly programs: ProgramsAhead
}

/** Runs one program. When this returns, every process it started is gone. */
export async function run({ host, programs }: RunParts, step: ProcessStep, options: RunOptions): Promise<RunEnd> {
  if (options.signal.aborted) return { kind: 'killed', by: 'caller', stderr: '' }
  const { program, args, modules, limits, profile = 'plain' } = step
  const { folder } = options
  const room = await roomFor(folder, limits, host)
  const name = { profile, program, ...(modules && { modules }) }
  const waiting = await programs.take(name)
  const { process } = waiting
  const fileBytes = Math.min(limits.outputBytes, host.fileBytes)
  await process.beginWork(options.givesWay ?? false)
  const inside = await waiting.begin({ args, folder, memoryBytes: limits.memoryBytes, fileBytes })
  const lines = readLines(process, options)
  let killer: Killer | undefined
  const kill = (by: Killer) => {
    killer ??= by
    process.kill()
  }
  const onAbort = () => kill('caller')
  const timer = setTimeout(() => kill('time'), limits.timeMs)
  options.signal.addEventListener('abort', onAbort, { once: true })
  // The signal may have fired while the sandbox was being built.
  if (options.signal.aborted) onAbort()
  const { firstPid } = process
  using _disk = watchFolder({ path: inside, limits: room, firstPid, onExceeded: () => kill('disk') })
  using _silence = watchLife(process, { limits, path: inside, ...lines, onSilent: () => kill('silence') })
  const end = await process.ended
  clearTimeout(timer)
  options.signal.removeEventListener('abort', onAbort)
  if (await isOutgrown(inside, room)) killer ??= 'disk'
  const isBack = await waiting.finish(folder)
  programs.refill(name)
  if (!isBack) return { kind: 'killed', by: 'system', stderr: 'the job folder was tampered with' }
  const memoryBytes = Math.min(limits.memoryBytes, profileOf(profile).memoryBytes)
  const written = { bytes: limits.outputBytes, entries: host.entries }
  return withLimit(toRunEnd(end, killer, process.stderr.text()), { memoryBytes, fileBytes, written })
}

interface Limits {
  readonly memoryBytes: number
  readonly fileBytes: number
  readonly written: FolderLimits
}

/** The same end, with the limit that was exceeded, if any. */
function withLimit(end: RunEnd, { memoryBytes, fileBytes, written }: Limits): RunEnd {
  if (end.kind === 'exited') return end.code === exitByFileSize ? { ...end, beyond: beyondFile(fileBytes) } : end
  if (end.by === 'memory') return { ...end, beyond: beyondMemory(memoryBytes) }
  return end.by === 'disk' ? { ...end, beyond: beyondDisk(written) } : end
}

/** The limits that a run takes from the sandbox's configuration. */
export interface RunHost {
  readonly fileBytes: number
  readonly entries: number
}

/** How large a folder may become: its present contents, plus what the step may add. */
export async function roomFor(folder: JobFolder, limits: StepLimits, { entries }: RunHost): Promise<FolderLimits> {
  const inputs = await measureFolder(folder.path, { bytes: Number.POSITIVE_INFINITY, entries })
  return { bytes: inputs.bytes + limits.outputBytes, entries }
}

/** Why a task fails after this end, or undefined if the run did not fail or its caller ended it. */
export function failureOf(end: RunEnd): Failure | undefined {
  const detail = end.stderr
  const text = end.beyond === undefined ? {} : { text: end.beyond }
  if (end.kind === 'exited') {
    if (end.code === 0) return undefined
    if (end.code === exitByFileSize) return failure('limit_exceeded', { ...text, detail })
    return failure('engine_crashed', { detail: `exit ${end.code}\n${detail}` })
  }
  if (end.by === 'caller') return undefined
  if (end.by === 'time' || end.by === 'silence') return failure('engine_timeout', { detail: `${end.by}\n${detail}` })
  return failure(end.by === 'system' ? 'engine_crashed' : 'limit_exceeded', { ...text, detail: `${end.by}\n${detail}` })
}

// bwrap reports death by signal n as exit code 128 + n. SIGXFSZ, 25, means that a file grew past its limit.
const exitByFileSize = 128 + 25

/** Passes lines on, and counts the output: any output is a sign of life. */
function readLines(process: SandboxedProcess, { onLine }: RunOptions): { readonly reported: () => number } {
  const reader = createLineReader(maxLineLength)
  let chunks = 0
  let silent = onLine === undefined
  process.stdout.on('data', (chunk: Buffer) => {
    chunks += 1
    if (silent) return
    const lines = reader.push(chunk)
    // A program that writes no lines reports no progress. Its output is still drained.
    if (lines === 'overlong') silent = true
    else for (const line of lines) onLine?.(line)
  })
  return { reported: () => chunks }
}

function toRunEnd({ code, outOfMemory }: ProcessEnd, killer: Killer | undefined, stderr: string): RunEnd {
  if (killer) return { kind: 'killed', by: killer, stderr }
  if (outOfMemory) return { kind: 'killed', by: 'memory', stderr }
  return code === null ? { kind: 'killed', by: 'system', stderr } : { kind: 'exited', code, stderr }
}
