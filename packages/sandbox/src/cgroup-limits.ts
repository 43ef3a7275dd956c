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
  /** Absent where the controller is not to be had. */
  readonly cpu: string | undefined
}

// The kernel hands time out in slices of this length. 100 ms is its own default.
const periodUs = 100_000

// What version 1 gives a single process. It weighs a group against the processes beside it, so a group with the
// default would have to share one process's time among all engines. Version 2 weighs groups against groups.
const sharesOfOne = 1024

/** Sets all limits of a new cgroup. */
export async function setLimits(files: CgroupFiles, folders: CgroupFolders, limits: CgroupLimits): Promise<void> {
  await files.write(join(folders.pids, 'pids.max'), String(limits.processes))
  await setMemory(files, folders, limits.memoryBytes)
  await setCpus(files, folders, limits.cpus)
  // One process killed for memory means the sandbox is of no use any more.
  if (folders.kind === 'v2') {
    await files.write(join(folders.memory, 'memory.oom.group'), '1').catch(ignore('ENOENT', 'EACCES'))
  }
}

/** How much an engine that gives way weighs against one of the same worker that does not. */
const yieldingShare = 0.02
/** How much all engines of a worker weigh while all of them give way, so that those of another worker here go first. */
const yieldingHomeShare = 0.2

/** Sets what a sandbox weighs against the others of its worker. */
export function weighSandbox(files: CgroupFiles, folders: CgroupFolders, givesWay: boolean): Promise<void> {
  return setWeight(files, folders, givesWay ? yieldingShare : 1)
}

/** Sets what all sandboxes of a worker weigh together: as much as one ordinary process for each core, or less. */
export function weighHome(files: CgroupFiles, folders: CgroupFolders, givesWay: boolean): Promise<void> {
  const processes = folders.kind === 'v2' ? 1 : availableParallelism()
  return setWeight(files, folders, processes * (givesWay ? yieldingHomeShare : 1))
}

async function setWeight(files: CgroupFiles, { kind, cpu }: CgroupFolders, share: number): Promise<void> {
  if (cpu === undefined) return
  const [file, weight] = kind === 'v2' ? ['cpu.weight', 100] : ['cpu.shares', sharesOfOne]
  // A weight that cannot be set, because the group is gone or not ours, costs fairness and not the conversion.
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
    // Absent where the kernel has no swap to account.
    await files.write(join(memory, 'memory.swap.max'), '0').catch(ignore('ENOENT', 'EACCES'))
    return
  }
  const plain = () => files.write(join(memory, 'memory.limit_in_bytes'), String(bytes))
  const withSwap = () =>
    files.write(join(memory, 'memory.memsw.limit_in_bytes'), String(bytes)).catch(ignore('ENOENT', 'EACCES'))
  // Memory with swap may never be under memory alone: the order depends on whether the limit grows.
  await plain().catch(async () => {
    await withSwap()
    await plain()
  })
  await withSwap()
}

/**
 * Memory that processes wrote and files on a tmpfs. What the kernel keeps of files on disk is not counted: it goes
 * when the memory is wanted, and libraries of the engine root are counted for whoever touched them first.
 */
export async function memoryInUse(
  files: CgroupFiles,
  { kind, memory }: Pick<CgroupFolders, 'kind' | 'memory'>,
): Promise<number | undefined> {
  const stat = await files.read(join(memory, 'memory.stat')).catch(() => '')
  const amount = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1])
  const written = amount(kind === 'v2' ? 'anon' : 'total_rss')
  // Kernels before 4.20 do not tell version 1 groups what lies on a tmpfs.
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
