import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findHierarchies, type Hierarchy } from './cgroup-hierarchy.ts'
import { isLeftover } from './worker-name.ts'

export interface CgroupLimits {
  readonly memoryBytes: number
  readonly processes: number
}

/** The cgroup of one sandbox. */
export interface Cgroup {
  /** The files a process writes its pid to in order to enter. */
  readonly joins: readonly string[]
  setMemory(bytes: number): Promise<void>
  /** Whether the kernel killed something in it for want of memory. */
  ranOutOfMemory(): Promise<boolean>
  /** Kills whatever is in it until nothing is, then removes it. */
  destroy(): Promise<void>
}

/** The place where this worker's cgroups are made. */
export interface CgroupHome extends AsyncDisposable {
  readonly kind: Hierarchy['kind']
  create(limits: CgroupLimits): Promise<Cgroup>
}

/** Opens a home under the worker's own cgroup, or gives undefined where none may be made. */
export async function openCgroupHome(name: string): Promise<CgroupHome | undefined> {
  const [cgroup, mountinfo] = await Promise.all(['cgroup', 'mountinfo'].map((file) => readText(`/proc/self/${file}`)))
  for (const hierarchy of findHierarchies(cgroup ?? '', mountinfo ?? '')) {
    const home = await openIn(hierarchy, name).catch(() => undefined)
    if (home) return home
  }
  return undefined
}

async function openIn(hierarchy: Hierarchy, name: string): Promise<CgroupHome> {
  const homes = hierarchy.kind === 'v2' ? [hierarchy.folder] : [hierarchy.memory, hierarchy.pids]
  if (hierarchy.kind === 'v2') await delegate(hierarchy.folder)
  const folders = homes.map((folder) => join(folder, `lathe-${name}`))
  for (const folder of homes) await removeLeftovers(folder)
  for (const folder of folders) await mkdir(folder, { recursive: true })
  if (hierarchy.kind === 'v2') await delegate(folders[0] ?? '')

  let count = 0
  const home: CgroupHome = {
    kind: hierarchy.kind,
    async create(limits) {
      count += 1
      const own = folders.map((folder) => join(folder, String(count)))
      await Promise.all(own.map((folder) => mkdir(folder)))
      const cgroup = toCgroup(hierarchy.kind, own)
      await setLimits(hierarchy.kind, own, limits)
      return cgroup
    },
    async [Symbol.asyncDispose]() {
      for (const folder of folders) await removeGroup(folder)
    },
  }
  // Made once on trial: a read-only or undelegated tree shows here, not at the first task.
  const trial = await home.create({ memoryBytes: 64 * 1024 * 1024, processes: 16 })
  await trial.destroy()
  return home
}

// A worker that was killed took its sandboxes along, but could not remove their empty cgroups.
async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith('lathe-worker-') && (await isLeftover(name))) await removeGroup(join(home, name))
  }
}

// In version 2 a cgroup that hands controllers down may hold no process itself, so those in it move to a leaf.
async function delegate(folder: string): Promise<void> {
  const enable = () => writeFile(join(folder, 'cgroup.subtree_control'), '+memory +pids')
  const leaf = join(folder, 'lathe-own')
  await enable().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EBUSY') throw error
    await mkdir(leaf, { recursive: true })
    for (const pid of await pidsIn(folder)) await writeFile(join(leaf, 'cgroup.procs'), String(pid)).catch(ignoreGone)
    await enable()
  })
}

async function setLimits(kind: Hierarchy['kind'], folders: readonly string[], limits: CgroupLimits): Promise<void> {
  const [memory = '', pids = memory] = folders
  await writeFile(join(pids, 'pids.max'), String(limits.processes))
  await setMemory(kind, memory, limits.memoryBytes)
  // One process killed for memory means the sandbox is of no use any more.
  if (kind === 'v2') await writeFile(join(memory, 'memory.oom.group'), '1').catch(ignoreAbsent)
}

async function setMemory(kind: Hierarchy['kind'], folder: string, bytes: number): Promise<void> {
  if (kind === 'v2') {
    await writeFile(join(folder, 'memory.max'), String(bytes))
    await writeFile(join(folder, 'memory.swap.max'), '0').catch(ignoreAbsent)
    return
  }
  const plain = () => writeFile(join(folder, 'memory.limit_in_bytes'), String(bytes))
  const withSwap = () => writeFile(join(folder, 'memory.memsw.limit_in_bytes'), String(bytes)).catch(ignoreAbsent)
  // Memory with swap may never be under memory alone: the order depends on whether the limit grows.
  await plain().catch(async () => {
    await withSwap()
    await plain()
  })
  await withSwap()
}

function toCgroup(kind: Hierarchy['kind'], folders: readonly string[]): Cgroup {
  const [memory = ''] = folders
  return {
    joins: folders.map((folder) => join(folder, 'cgroup.procs')),
    setMemory: (bytes) => setMemory(kind, memory, bytes),
    async ranOutOfMemory() {
      const events = await readText(join(memory, kind === 'v2' ? 'memory.events' : 'memory.oom_control'))
      return /^oom_kill [1-9]/m.test(events)
    },
    async destroy() {
      for (const folder of folders) await removeGroup(folder)
    },
  }
}

/** Empties and removes a cgroup and those below it. */
export async function removeGroup(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await removeGroup(join(folder, entry.name))
  // A killed process leaves its cgroup only when the kernel is done with its memory: measured up to 260 ms.
  for (let pauseMs = 1; pauseMs < 2000; pauseMs *= 2) {
    for (let pids = await pidsIn(folder); pids.length > 0; pids = await pidsIn(folder)) {
      for (const pid of pids) killQuietly(pid)
      await delay(Math.min(pauseMs, 10))
    }
    const removed = await rmdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    )
    if (removed) return
    await delay(pauseMs)
  }
}

async function pidsIn(folder: string): Promise<readonly number[]> {
  const text = await readText(join(folder, 'cgroup.procs'))
  // 0 stands for a process this one cannot see; a signal to it would hit our own group.
  return text
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0)
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    ignoreGone(error as NodeJS.ErrnoException)
  }
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

function ignoreGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ESRCH') throw error
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'EACCES') throw error
}
