import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionError, type Lathe, type LatheError, RequestError } from '@lathe/sdk'
import { type FoundFile, findFiles } from '../batch/find-files.ts'
import { type BatchFlags, type FileOperation, processFiles } from '../batch/process-files.ts'
import { type Outcome, shown } from '../batch/reporter.ts'
import { environment } from '../environment.ts'
import { exitCodes, UsageError } from '../exit-codes.ts'

export interface WatchFlags extends BatchFlags {
  /** How long a file must stay unchanged before it is converted. */
  readonly settle: number
  /** Converts the files that exist, then exits. */
  readonly once?: boolean
  /** Deletes a file once its results are saved. */
  readonly deleteAfter?: boolean
}

/** The converted files by path, with their size and time. */
type Seen = Map<string, string>

const everyMs = 1000

/** Converts files that appear in a folder. Remembers them, so that they are not converted again after a restart. */
export async function watch(
  lathe: Lathe,
  folder: string,
  what: FileOperation,
  flags: WatchFlags,
  signal: AbortSignal,
): Promise<number> {
  if (flags.output === undefined) throw new UsageError('Say where results go: --output DIR')
  if (isInside(flags.output, folder)) {
    throw new UsageError('Results in the watched folder would be converted as well. Use an --output outside it.')
  }
  const state = stateFile(folder, what, flags)
  const seen = await readSeen(state)
  let code: number = exitCodes.ok
  const resting = new Map<string, { readonly mark: string; readonly since: number }>()
  const marks = new Map<string, string>()

  /**
   * Each file is remembered when it has ended, successful or not: a file that cannot be converted is not retried
   * forever.
   */
  async function take(ready: readonly { readonly file: FoundFile; readonly mark: string }[]): Promise<number> {
    for (const { file, mark } of ready) marks.set(file.path, mark)
    const files = ready.map(({ file }) => file)
    const remember = async ({ path }: FoundFile, { status }: Outcome) => {
      const mark = marks.get(path) ?? ''
      seen.set(resolve(path), mark)
      // A file that has changed meanwhile is converted again, so it stays.
      if (!flags.deleteAfter || status !== 'done' || (await markOf(path)) !== mark) return
      try {
        await rm(path)
        seen.delete(resolve(path))
      } catch (error) {
        process.stderr.write(`${shown(path)} is converted, but cannot be deleted: ${String(error)}\n`)
      }
    }
    try {
      return await processFiles(lathe, files, what, { ...flags, keepTree: true, force: true }, signal, remember)
    } catch (error) {
      if (!isAway(error)) throw error
      process.stderr.write(`${error.message} It is tried again.\n`)
      return exitCodes.server
    } finally {
      await writeSeen(state, seen)
    }
  }

  process.stderr.write(`Watching ${folder}. Press Ctrl-C to stop.\n`)
  while (!signal.aborted) {
    const ready = await restedFiles(folder, seen, resting, flags.settle * 1000)
    if (ready.length > 0) {
      const ended = await take(ready)
      if (ended !== exitCodes.ok) code = ended
    } else if (flags.once && resting.size === 0) {
      return code
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
  }
  return exitCodes.interrupted
}

/** Whether a folder is the same as another one, or below it. */
function isInside(folder: string, other: string): boolean {
  const way = relative(resolve(other), resolve(folder))
  return !way.startsWith('..') && !isAbsolute(way)
}

/** Whether the service is currently unavailable: watching continues once it is back. */
function isAway(error: unknown): error is LatheError {
  return (
    error instanceof ConnectionError || (error instanceof RequestError && (error.status >= 500 || error.status === 429))
  )
}

async function restedFiles(
  folder: string,
  seen: Seen,
  resting: Map<string, { readonly mark: string; readonly since: number }>,
  settleMs: number,
): Promise<readonly { readonly file: FoundFile; readonly mark: string }[]> {
  const ready: { file: FoundFile; mark: string }[] = []
  const now = Date.now()
  const names = new Set<string>()
  for (const file of await findFiles([folder])) {
    const mark = await markOf(file.path)
    if (mark === undefined || file.path.endsWith('.part')) continue
    names.add(file.path)
    if (seen.get(resolve(file.path)) === mark) continue
    const before = resting.get(file.path)
    if (before?.mark !== mark) resting.set(file.path, { mark, since: now })
    else if (now - before.since >= settleMs) {
      resting.delete(file.path)
      ready.push({ file, mark })
    }
  }
  for (const path of resting.keys()) if (!names.has(path)) resting.delete(path)
  return ready
}

/** What changes with the content of a file; undefined if there is none. */
async function markOf(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined)
  return info && `${info.size} ${info.mtimeMs}`
}

/** One state file for each folder, operation, target and output. */
function stateFile(folder: string, { operation, to }: FileOperation, { output = '' }: BatchFlags): string {
  const name = createHash('sha256')
    .update(JSON.stringify([resolve(folder), operation, to, resolve(output)]))
    .digest('hex')
  return join(environment.stateFolder, `watch-${name.slice(0, 16)}.json`)
}

async function readSeen(file: string): Promise<Seen> {
  const text = await readFile(file, 'utf8').catch(() => '[]')
  return new Map(JSON.parse(text) as [string, string][])
}

async function writeSeen(file: string, seen: Seen): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, JSON.stringify([...seen]), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
