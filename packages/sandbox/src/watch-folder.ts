import type { Stats } from 'node:fs'
import { lstat, opendir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { namelessBytes } from './nameless-files.ts'

export interface FolderLimits {
  readonly bytes: number
  readonly entries: number
}

export interface FolderContents extends FolderLimits {
  /** The sum of the file sizes. It changes with every byte, while blocks are allocated by the thousand bytes. */
  readonly claimed: number
}

const intervalMs = 250
// If less than this is missing from the file system, checking every descriptor is not worth it.
const worthALook = 1024 ** 2

export interface FolderWatch {
  readonly path: string
  readonly limits: FolderLimits
  /** The sandbox's first process. Deleted files that it and its descendants hold open count too. */
  readonly firstPid: Promise<number | undefined>
  onExceeded(): void
}

/**
 * Calls `onExceeded` once if a folder exceeds its limits. The file size limit bounds one file, this watch bounds their
 * sum and number. A writer gets past the limit by what it writes within one interval and one scan, which depends on the
 * disk's speed.
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

/** Whether a folder exceeds its limits now. Finds engines that were faster than the watch after they ended. */
export async function isOutgrown(path: string, limits: FolderLimits): Promise<boolean> {
  const { bytes, entries } = await measureFolder(path, limits)
  return bytes > limits.bytes || entries > limits.entries
}

/** The contents of a folder, in written or claimed bytes. Counting stops once it exceeds the limits. */
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
        // A sparse file claims more than it uses; a file with blocks allocated past its end uses more than it claims.
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

// Files come and go during the scan. An entry that exists but cannot be read, because its path is too long or its
// folder is closed to us, may hold anything. It counts against the limits: none of our engines creates such an entry.
const ifGone = (error: NodeJS.ErrnoException): readonly (typeof unseen)[] => (isGone(error) ? [] : [unseen])
const ifFileGone = (error: NodeJS.ErrnoException): Pick<Stats, 'size' | 'blocks'> =>
  isGone(error) ? { size: 0, blocks: 0 } : { size: Number.POSITIVE_INFINITY, blocks: 0 }
