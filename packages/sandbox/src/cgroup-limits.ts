import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type CgroupFiles, ignore } from './cgroup-files.ts'

export interface CgroupLimits {
  readonly memoryBytes: number
  readonly processes: number
  /** Cores that may be kept busy. */
  readonly cpus: number
}

/** The folders of one cgroup, by controller: three in version 1, the same one in version 2. */
export interface CgroupFolders {
  readonly kind: 'v1' | 'v2'
  readonly memory: string
  readonly pids: string
  /** Absent where the controller is not available. */
  readonly cpu: string | undefined
}

// The length of the slices in which the kernel assigns CPU time. 100 ms is the kernel's default.
const periodUs = 100_000

// The shares that version 1 gives a single process. Version 1 weighs a group against the processes next to it, so with
// the default all engines together would get the time of one process. Version 2 weighs groups against groups.
const sharesOfOne = 1024

/** Sets all limits of a new cgroup. */
export async function setLimits(files: CgroupFiles, folders: CgroupFolders, limits: CgroupLimits): Promise<void> {
  await files.write(join(folders.pids, 'pids.max'), String(limits.processes))
  await setMemory(files, folders, limits.memoryBytes)
  await setCpus(files, folders, limits.cpus)
  // Once one process was killed for memory, the sandbox is of no more use.
  if (folders.kind === 'v2') {
    await files.write(join(folders.memory, 'memory.oom.group'), '1').catch(ignore('ENOENT', 'EACCES'))
  }
}

/** The weight of an engine that gives way, relative to one of the same worker that does not. */
const yieldingShare = 0.02
/** The weight of a worker while all its engines give way, so that engines of another worker on this host go first. */
const yieldingHomeShare = 0.2

/** Sets the weight of a sandbox relative to the others of its worker. */
export function weighSandbox(files: CgroupFiles, folders: CgroupFolders, givesWay: boolean): Promise<void> {
  return setWeight(files, folders, givesWay ? yieldingShare : 1)
}

/** Sets the weight of all sandboxes of a worker together: that of one ordinary process per core, or less. */
export function weighHome(files: CgroupFiles, folders: CgroupFolders, givesWay: boolean): Promise<void> {
  const processes = folders.kind === 'v2' ? 1 : availableParallelism()
  return setWeight(files, folders, processes * (givesWay ? yieldingHomeShare : 1))
}

async function setWeight(files: CgroupFiles, { kind, cpu }: CgroupFolders, share: number): Promise<void> {
  if (cpu === undefined) return
  const [file, weight] = kind === 'v2' ? ['cpu.weight', 100] : ['cpu.shares', sharesOfOne]
  // A weight that cannot be set, because the group is gone or not ours, only costs fairness. The conversion goes on.
  await files.write(join(cpu, file), String(Math.round(weight * share))).catch(() => {})
}

/** Sets how much memory, without swap, a cgroup may hold. */
export async function setMemory(
  files: CgroupFiles,
  { kind, memory }: Pick<CgroupFolders, 'kind' | 'memory'>,
  bytes: number,
): Promise<void> {
  if (kind === 'v2') {
    await files.write(join(memory, 'memory.max'), String(bytes))
    // The file is absent where the kernel does not account for swap.
    await files.write(join(memory, 'memory.swap.max'), '0').catch(ignore('ENOENT', 'EACCES'))
    return
  }
  const plain = () => files.write(join(memory, 'memory.limit_in_bytes'), String(bytes))
  const withSwap = () =>
    files.write(join(memory, 'memory.memsw.limit_in_bytes'), String(bytes)).catch(ignore('ENOENT', 'EACCES'))
  // The limit with swap may never be below the limit without: the order depends on whether the limit grows.
  await plain().catch(async () => {
    await withSwap()
    await plain()
  })
  await withSwap()
}

/**
 * Memory that processes wrote, plus files on a tmpfs. The page cache of files on disk is not counted: the kernel drops
 * it under memory pressure, and it charges libraries of the engine root to the cgroup that read them first.
 */
export async function memoryInUse(
  files: CgroupFiles,
  { kind, memory }: Pick<CgroupFolders, 'kind' | 'memory'>,
): Promise<number | undefined> {
  const stat = await files.read(join(memory, 'memory.stat')).catch(() => '')
  const amount = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1])
  const written = amount(kind === 'v2' ? 'anon' : 'total_rss')
  // Kernels before 4.20 do not report tmpfs memory for version 1 groups.
  const shared = amount(kind === 'v2' ? 'shmem' : 'total_shmem') || 0
  return Number.isNaN(written) ? undefined : written + shared
}

async function setCpus(files: CgroupFiles, { kind, cpu }: CgroupFolders, cpus: number): Promise<void> {
  if (cpu === undefined) return
  const quotaUs = String(Math.round(cpus * periodUs))
  if (kind === 'v2') return files.write(join(cpu, 'cpu.max'), `${quotaUs} ${periodUs}`)
  await files.write(join(cpu, 'cpu.cfs_period_us'), String(periodUs))
  await files.write(join(cpu, 'cpu.cfs_quota_us'), quotaUs)
}
