import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

export interface FolderLimits {
  readonly bytes: number
  readonly entries: number
}

export interface FolderContents extends FolderLimits {
  /** The sum of what files say they hold: it moves with every byte, while blocks are taken by the thousand. */
  readonly claimed: number
}

const intervalMs = 250

/**
 * Calls `onExceeded` once if a folder outgrows its limits. The file size limit bounds one file, this their sum
 * and number; what a quick writer gets past it in one interval is bounded by the disk's speed.
 */
export function watchFolder(path: string, limits: FolderLimits, onExceeded: () => void): Disposable {
  let stopped = false
  let timer = setTimeout(look, intervalMs)

  async function look(): Promise<void> {
    const isOver = await isOutgrown(path, limits)
    if (stopped) return
    if (isOver) onExceeded()
    else timer = setTimeout(look, intervalMs)
  }

  return {
    [Symbol.dispose]() {
      stopped = true
      clearTimeout(timer)
    },
  }
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
    // Things come and go while we look, and a folder may be closed to us: what cannot be seen is not counted.
    for await (const entry of await opendir(folder).catch(() => [])) {
      entries += 1
      const inside = join(folder, entry.name)
      if (entry.isDirectory()) open.push(inside)
      else {
        const { size = 0, blocks = 0 } = (await lstat(inside).catch(() => undefined)) ?? {}
        claimed += size
        // A sparse file claims more than it takes; a file with a hole punched past its end takes more than it claims.
        bytes += Math.max(size, blocks * 512)
      }
      if (entries > limits.entries || bytes > limits.bytes) return { bytes, claimed, entries }
    }
  }
  return { bytes, claimed, entries }
}
