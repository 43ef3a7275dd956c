import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type AppProcess, listProcesses, type Stack } from '@lathe/testing'

/** What a worker leaves on the machine. All of it contains the worker's name. */
export interface Belongings {
  readonly processes: readonly string[]
  readonly cgroups: readonly string[]
  readonly mounts: readonly string[]
  readonly scratch: readonly string[]
}

/** The name of a running worker: its folder in the scratch folder. */
export function findWorkerName({ scratchDir }: Stack, { pid }: AppProcess): string {
  const name = readdirSync(scratchDir).find((entry) => entry.split('-')[2] === String(pid))
  if (!name) throw new Error(`worker ${pid} has no folder in ${scratchDir}`)
  return name
}

/** Searches the machine for everything of one worker. */
export function findBelongings({ scratchDir }: Stack, worker: string): Belongings {
  return {
    processes: listProcesses().flatMap(({ pid, command }) => (isIn(pid, worker) ? [`${pid} ${command}`] : [])),
    cgroups: findCgroups('/sys/fs/cgroup', worker),
    mounts: readLines('/proc/self/mountinfo').filter((line) => line.includes(scratchDir)),
    scratch: list(scratchDir).filter((entry) => entry === worker),
  }
}

/** How many sandboxes a worker has now: each has a cgroup whose name is a number. */
export function countSandboxes({ cgroups }: Belongings): number {
  return new Set(cgroups.map((path) => basename(path)).filter((name) => /^\d+$/.test(name))).size
}

/** The leftovers of an ended worker, as lines. */
export function listBelongings(found: Belongings): readonly string[] {
  return Object.entries(found).flatMap(([kind, entries]) => entries.map((entry: string) => `${kind}: ${entry}`))
}

function isIn(pid: number, worker: string): boolean {
  return readLines(`/proc/${pid}/cgroup`).some((line) => line.includes(worker))
}

function findCgroups(folder: string, worker: string): readonly string[] {
  const below = list(folder, true).map((name) => join(folder, name))
  return below.flatMap((path) => [...(path.includes(worker) ? [path] : []), ...findCgroups(path, worker)])
}

function list(folder: string, foldersOnly = false): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => !foldersOnly || entry.isDirectory()).map(({ name }) => name)
  } catch {
    // A cgroup or a process may disappear before it is read.
    return []
  }
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
