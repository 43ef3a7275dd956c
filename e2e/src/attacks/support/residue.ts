import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  type AppProcess,
  descendantsOf,
  engineHostOf,
  listProcesses,
  type ProcessInfo,
  type Stack,
} from '@lathe/testing'

/** The resources of a worker on the machine. */
export interface Footprint {
  readonly pid: number
  readonly mounts: string
  /** Its open regular files, by path. */
  readonly openFiles: readonly string[]
  /** Pipes and sockets, except those to waiting programs: these vary with warm instances and kept connections. */
  readonly streams: number
  /** The processes of each warm instance, as the sorted names of its programs. */
  readonly instances: readonly string[]
  /** Processes that belong to no warm instance and to no program that waits for its arguments. */
  readonly strangers: readonly string[]
  /** Job folders. */
  readonly jobs: readonly string[]
  /** Cgroups in addition to one per sandbox. */
  readonly spareCgroups: number
}

/** Inspects a worker from outside. */
export function footprintOf(stack: Stack, worker: AppProcess, sandboxUid: number): Footprint {
  const below = descendantsOf(worker.pid)
  const host = engineHostOf(worker.pid)
  const own = below.filter(({ parent }) => parent === (host ?? worker).pid)
  const [instances, waiting] = [/\/instance-\d+ /, /\/waiting-\d+ /].map((home) => treesIn(own, home)) as [Trees, Trees]
  // A waiting program has not run yet, so it has no children.
  const sandboxes = [...instances, ...waiting.filter(isWaiting)].flat().map(({ pid }) => pid)
  // The engine host, and the shell that restarts it.
  const known = new Set([...sandboxes, ...(host ? [host.pid, host.parent] : [])])
  const roots = [...instances, ...waiting].flatMap((tree) => tree.slice(0, 1))
  const ofSandbox = listProcesses().filter(({ pid }) => uidOf(pid) === sandboxUid)
  const strangers = [...below, ...ofSandbox].filter(({ pid }) => !known.has(pid))
  const open = [worker.pid, ...(host ? [host.pid] : [])].flatMap(openDescriptors)
  return {
    pid: worker.pid,
    mounts: readText(`/proc/${worker.pid}/mountinfo`),
    openFiles: open.filter((target) => target.startsWith('/')).sort(),
    streams: open.filter((target) => /^(socket|pipe):/.test(target)).length - standardStreams * waiting.length,
    instances: instances.map((tree) => tree.map(programOf).sort().join(' ')),
    strangers: strangers.map(({ pid, command }) => `${pid} ${command.slice(0, 200)}`),
    jobs: jobFolders(stack.scratchDir),
    spareCgroups: countCgroups(roots) - roots.length,
  }
}

type Trees = readonly (readonly ProcessInfo[])[]

const standardStreams = 3
/** The sandbox builder, its first process, and the program. */
const processesWaiting = 3

function treesIn(own: readonly ProcessInfo[], home: RegExp): Trees {
  return own.filter(({ command }) => home.test(command)).map((root) => [root, ...descendantsOf(root.pid)])
}

function isWaiting(tree: readonly ProcessInfo[]): boolean {
  return tree.length <= processesWaiting
}

function programOf({ pid }: ProcessInfo): string {
  return readText(`/proc/${pid}/comm`).trim()
}

function uidOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1] ?? -1)
}

function openDescriptors(pid: number): readonly string[] {
  return list(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)]
    } catch {
      return []
    }
  })
}

/** A job's folder is next to the sandboxes, or inside one while its engine works on it. */
function jobFolders(scratch: string): readonly string[] {
  return list(scratch).flatMap((home) =>
    list(join(scratch, home)).flatMap((name) => {
      const inside = list(join(scratch, home, name)).filter((entry) => /^(\d+|job)$/.test(entry))
      return [...(/^(job|evil|canary)-/.test(name) ? [name] : []), ...inside.map((entry) => `${name}/${entry}`)]
    }),
  )
}

/** The cgroups next to that of the first instance; without cgroups, as many as there are instances. */
function countCgroups(roots: readonly ProcessInfo[]): number {
  const [first] = roots
  if (!first) return 0
  const line = /^\d+:(?:pids|):(.*lathe-worker.*)$/m.exec(readText(`/proc/${first.pid}/cgroup`))?.[1]
  if (line === undefined) return roots.length
  const home = basename(dirname(line))
  const homes = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup', '/sys/fs/cgroup/unified'].map((top) =>
    join(top, dirname(line)),
  )
  const folder = homes.find((path) => list(path).length > 0) ?? join('/sys/fs/cgroup/pids', home)
  return list(folder).filter((name) => /^\d+$/.test(name)).length
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
