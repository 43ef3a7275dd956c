import type { Stats } from 'node:fs'
import { lstat, opendir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { namelessBytes } from './nameless-files.ts'

export interface FolderLimits {
  readonly bytes: number
  readonly entries: number
}

export interface FolderContents extends FolderLimits {
  /** The sum of what files say they hold: it moves with every byte, while blocks are taken by the thousand. */
  readonly claimed: number
}

const intervalMs = 250
// Less than this missing from the file system is not worth a look at every descriptor.
const worthALook = 1024 ** 2

export interface FolderWatch {
  readonly path: string
  readonly limits: FolderLimits
  /** The sandbox's first process: what it and those below it hold in deleted files counts too. */
  readonly firstPid: Promise<number | undefined>
  onExceeded(): void
}

/**
 * Calls `onExceeded` once if a folder outgrows its limits. The file size limit bounds one file, this their sum
 * and number; what a quick writer gets past it in one interval is bounded by the disk's speed.
 */
export function watchFolder({ path, limits, firstPid, onExceeded }: FolderWatch): Disposable {
  let stopped = false
  let timer = setTimeout(look, intervalMs)
  const freeBefore = freeBytes(path)

  async function look(): Promise<void> {
    const isOver = await isBeyond()
    if (stopped) return
    if (isOver) onExceeded()
    else timer = setTimeout(look, intervalMs)
  }

  async function isBeyond(): Promise<boolean> {
    const { bytes, entries } = await measureFolder(path, limits)
    if (bytes > limits.bytes || entries > limits.entries) return true
    const pid = await firstPid
    if (pid === undefined || (await freeBefore) - (await freeBytes(path)) < worthALook) return false
    const device = (await lstat(path).catch(() => undefined))?.dev
    return device !== undefined && bytes + (await namelessBytes(pid, device)) > limits.bytes
  }

  return {
    [Symbol.dispose]() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

async function freeBytes(path: string): Promise<number> {
  // The folder may be gone already; then nothing of it is missing.
  const space = await statfs(path).catch(() => undefined)
  return space === undefined ? Number.POSITIVE_INFINITY : space.bfree * space.bsize
}

/** Whether a folder is past its limits now: who is quicker than the watch is seen when it has ended. */
export async function isOutgrown(path: string, limits: FolderLimits): Promise<boolean> {
  const { bytes, entries } = await measureFolder(path, limits)
  return bytes > limits.bytes || entries > limits.entries
}

/** What a folder holds, in written or in claimed bytes; counting stops once it is over the limits. */
export async function measureFolder(path: string, limits: FolderLimits): Promise<FolderContents> {
  let bytes = 0
  let claimed = 0
  let entries = 0
  const open = [path]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for await (const entry of await opendir(folder).catch(ifGone)) {
      if (entry === unseen) return { bytes: Number.POSITIVE_INFINITY, claimed, entries }
      entries += 1
      const inside = join(folder, entry.name)
      if (entry.isDirectory()) open.push(inside)
      else {
        const { size, blocks } = await lstat(inside).catch(ifFileGone)
        claimed += size
        // A sparse file claims more than it takes; a file with a hole punched past its end takes more than it claims.
        bytes += Math.max(size, blocks * 512)
      }
      if (entries > limits.entries || bytes > limits.bytes) return { bytes, claimed, entries }
    }
  }
  return { bytes, claimed, entries }
}

const unseen = 'unseen'
const gone = new Set(['ENOENT', 'ENOTDIR'])
const isGone = (error: NodeJS.ErrnoException) => gone.has(error.code ?? '')

// Things come and go while we look. What is there and cannot be looked at, because its path is longer than any path may be
// or its folder was closed to us, might hold anything: no engine of ours makes such a thing.
const ifGone = (error: NodeJS.ErrnoException): readonly (typeof unseen)[] => (isGone(error) ? [] : [unseen])
const ifFileGone = (error: NodeJS.ErrnoException): Pick<Stats, 'size' | 'blocks'> =>
  isGone(error) ? { size: 0, blocks: 0 } : { size: Number.POSITIVE_INFINITY, blocks: 0 }
