import { chown, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type CgroupFiles, ignore, kernelFiles } from './cgroup-files.ts'
import { findHierarchies, type Hierarchy } from './cgroup-hierarchy.ts'
import {
  type CgroupFolders,
  type CgroupLimits,
  memoryInUse,
  setLimits,
  setMemory,
  weighHome,
  weighSandbox,
} from './cgroup-limits.ts'
import { createWorkerName, isLeftover } from './worker-name.ts'

/** The cgroup of one sandbox. */
export interface Cgroup {
  /** The files to which a process writes its pid in order to enter. */
  readonly joins: readonly string[]
  setMemory(bytes: number): Promise<void>
  /** Marks it as working, and sets whether it gives way to other sandboxes. Never throws. */
  beginWork(givesWay: boolean): Promise<void>
  /** Marks it as idle. */
  endWork(): Promise<void>
  /** Memory of its processes that the kernel cannot simply drop; undefined if the kernel does not report it. */
  memoryInUse(): Promise<number | undefined>
  /** Whether the kernel killed a process in it because memory ran out. */
  ranOutOfMemory(): Promise<boolean>
  /** Kills all its processes until none is left, then removes it. */
  destroy(): Promise<void>
}

/** The folder in which this worker creates its cgroups. */
export interface CgroupHome extends AsyncDisposable {
  readonly kind: Hierarchy['kind']
  /** False where CPU time cannot be limited. */
  readonly limitsCpu: boolean
  create(limits: CgroupLimits): Promise<Cgroup>
}

/** Opens a home under the worker's own cgroup. Returns undefined where cgroups cannot be created. */
export async function openCgroupHome(name: string): Promise<CgroupHome | undefined> {
  const [cgroup = '', mountinfo = ''] = await Promise.all(
    ['cgroup', 'mountinfo'].map((file) => readFile(`/proc/self/${file}`, 'utf8').catch(() => '')),
  )
  for (const hierarchy of findHierarchies(cgroup, mountinfo)) {
    const home = await openHomeIn(hierarchy, name).catch(() => undefined)
    if (home) return home
  }
  return undefined
}

/**
 * Creates a cgroup in which another user may create its own. Returns the files that move a process into it, or none
 * where cgroups cannot be created. Also removes earlier cgroups whose processes are gone.
 */
export async function delegateCgroup(uid: number): Promise<readonly string[]> {
  const [cgroup = '', mountinfo = ''] = await Promise.all(
    ['cgroup', 'mountinfo'].map((file) => readFile(`/proc/self/${file}`, 'utf8').catch(() => '')),
  )
  const name = `lathe-${await createWorkerName()}`
  for (const hierarchy of findHierarchies(cgroup, mountinfo)) {
    const joins = await delegateIn(hierarchy, name, uid).catch(() => undefined)
    if (joins) return joins
  }
  return []
}

const delegated = ['cgroup.procs', 'cgroup.subtree_control', 'cgroup.threads', 'tasks']

async function delegateIn(hierarchy: Hierarchy, name: string, uid: number): Promise<readonly string[]> {
  const above = await foldersOf(kernelFiles, hierarchy)
  for (const folder of distinct(above)) await removeLeftovers(kernelFiles, folder)
  const own = distinct(below(above, name))
  for (const folder of own) {
    await kernelFiles.makeFolder(folder)
    await chown(folder, uid, uid)
    for (const file of delegated) await chown(join(folder, file), uid, uid).catch(ignore('ENOENT'))
  }
  return own.map((folder) => join(folder, 'cgroup.procs'))
}

/** Opens a home in one hierarchy. Throws if cgroups cannot be created and limited there. */
export async function openHomeIn(hierarchy: Hierarchy, name: string, files = kernelFiles): Promise<CgroupHome> {
  const above = await foldersOf(files, hierarchy)
  const home = below(above, `lathe-${name}`)
  for (const folder of distinct(above)) await removeLeftovers(files, folder)
  for (const folder of distinct(home)) await files.makeFolder(folder)
  if (home.kind === 'v2') await delegate(files, home.memory)
  await weighHome(files, home, false)

  let count = 0
  const balance = createBalance((givesWay) => weighHome(files, home, givesWay))
  const opened: CgroupHome = {
    kind: home.kind,
    limitsCpu: home.cpu !== undefined,
    async create(limits) {
      count += 1
      const own = below(home, String(count))
      await Promise.all(distinct(own).map((folder) => files.makeFolder(folder)))
      await setLimits(files, own, limits)
      return toCgroup(files, own, balance)
    },
    async [Symbol.asyncDispose]() {
      for (const folder of distinct(home)) await removeGroup(files, folder)
    },
  }
  // A trial: a read-only or undelegated tree fails here and not at the first task.
  const trial = await opened.create({ memoryBytes: 64 * 1024 * 1024, processes: 16, cpus: 1 })
  await trial.destroy()
  return opened
}

async function foldersOf(files: CgroupFiles, hierarchy: Hierarchy): Promise<CgroupFolders> {
  if (hierarchy.kind === 'v1') return { cpu: undefined, ...hierarchy }
  const { folder } = hierarchy
  const hasCpu = await delegate(files, folder)
  return { kind: 'v2', memory: folder, pids: folder, cpu: hasCpu ? folder : undefined }
}

function below({ kind, memory, pids, cpu }: CgroupFolders, name: string): CgroupFolders {
  return { kind, memory: join(memory, name), pids: join(pids, name), cpu: cpu === undefined ? cpu : join(cpu, name) }
}

function distinct({ memory, pids, cpu }: CgroupFolders): readonly string[] {
  return [...new Set([memory, pids, ...(cpu === undefined ? [] : [cpu])])]
}

// The sandboxes of a killed worker died with it, but their empty cgroups remain.
async function removeLeftovers(files: CgroupFiles, home: string): Promise<void> {
  for (const { name } of await files.list(home)) {
    if (name.startsWith('lathe-worker-') && (await isLeftover(name))) await removeGroup(files, join(home, name))
  }
}

/**
 * Enables controllers for child groups. Returns false if the CPU controller is not among them. In version 2 a cgroup
 * that enables controllers for its children may hold no processes itself, so its processes move to a leaf.
 */
async function delegate(files: CgroupFiles, folder: string): Promise<boolean> {
  const enable = (controllers: string) => files.write(join(folder, 'cgroup.subtree_control'), controllers)
  await enable('+memory +pids').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EBUSY') throw error
    const leaf = join(folder, 'lathe-own')
    await files.makeFolder(leaf).catch(ignore('EEXIST'))
    for (const pid of await pidsIn(files, folder)) {
      await files.write(join(leaf, 'cgroup.procs'), String(pid)).catch(ignore('ESRCH'))
    }
    await enable('+memory +pids')
  })
  return enable('+cpu').then(
    () => true,
    () => false,
  )
}

/** Counts the working engines of a home, and lowers the weight of the home while all of them give way. */
function createBalance(weigh: (givesWay: boolean) => Promise<void>) {
  const working = new Map<object, boolean>()
  let isYielding = false
  let last = Promise.resolve()

  // Writes run one after the other, so that the last one takes effect.
  function settle(): Promise<void> {
    last = last.then(async () => {
      const next = working.size > 0 && [...working.values()].every((givesWay) => givesWay)
      if (next === isYielding) return
      isYielding = next
      await weigh(next)
    })
    return last
  }

  return {
    begin(cgroup: object, givesWay: boolean): Promise<void> {
      working.set(cgroup, givesWay)
      return settle()
    },
    end(cgroup: object): Promise<void> {
      return working.delete(cgroup) ? settle() : last
    },
  }
}

function toCgroup(files: CgroupFiles, folders: CgroupFolders, balance: ReturnType<typeof createBalance>): Cgroup {
  let isYielding = false
  return {
    joins: distinct(folders).map((folder) => join(folder, 'cgroup.procs')),
    setMemory: (bytes) => setMemory(files, folders, bytes),
    async beginWork(givesWay) {
      if (givesWay !== isYielding) await weighSandbox(files, folders, givesWay)
      isYielding = givesWay
      await balance.begin(folders, givesWay)
    },
    endWork: () => balance.end(folders),
    memoryInUse: () => memoryInUse(files, folders),
    async ranOutOfMemory() {
      const events = folders.kind === 'v2' ? 'memory.events' : 'memory.oom_control'
      return /^oom_kill [1-9]/m.test(await files.read(join(folders.memory, events)).catch(() => ''))
    },
    async destroy() {
      await balance.end(folders)
      for (const folder of distinct(folders)) {
        if (!(await removeGroup(files, folder))) void removeLater(files, folder)
      }
    },
  }
}

const laterMs = 2_000
const mostTimesLater = 30

/** Removes a cgroup that the kernel still holds although its processes are gone. Its task does not wait for this. */
async function removeLater(files: CgroupFiles, folder: string): Promise<void> {
  for (let times = 0; times < mostTimesLater; times += 1) {
    await delay(laterMs, undefined, { ref: false })
    if (await removeGroup(files, folder)) return
  }
}

/** Empties and removes a cgroup and those below it. False if it is still there after two seconds. */
async function removeGroup(files: CgroupFiles, folder: string): Promise<boolean> {
  for (const { name, isFolder } of await files.list(folder).catch(() => [])) {
    if (isFolder) await removeGroup(files, join(folder, name))
  }
  // Kills all processes at once, including those being forked. Version 1 and kernels before 5.14 have no such file.
  await files.write(join(folder, 'cgroup.kill'), '1').catch(() => {})
  // A killed process leaves its cgroup only when the kernel has freed its memory: measured up to 260 ms.
  for (let pauseMs = 1; pauseMs < 2000; pauseMs *= 2) {
    for (let pids = await pidsIn(files, folder); pids.length > 0; pids = await pidsIn(files, folder)) {
      for (const pid of pids) killQuietly(pid)
      await delay(Math.min(pauseMs, 10))
    }
    const removed = await files.removeFolder(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    )
    if (removed) return true
    await delay(pauseMs)
  }
  return false
}

async function pidsIn(files: CgroupFiles, folder: string): Promise<readonly number[]> {
  const text = await files.read(join(folder, 'cgroup.procs')).catch(() => '')
  // 0 means a process that this one cannot see. A signal to pid 0 would hit our own process group.
  return text
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0)
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    ignore('ESRCH')(error as NodeJS.ErrnoException)
  }
}
