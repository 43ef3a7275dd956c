import { statfs } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** Watches the free space of the disk that holds the job folders. */
export interface ScratchWatch extends AsyncDisposable {
  /** The free space at the last check, beyond the reserve that must stay free. */
  readonly spareBytes: number
  /** The size of the file system. */
  readonly totalBytes: number
  /** The free space now. */
  freeBytes(): Promise<number>
  /** Checks now. */
  isFull(): Promise<boolean>
}

export interface ScratchWatchOptions {
  readonly dir: string
  /** With less free space than this, no new task starts. */
  readonly leastFreeBytes: number
  /** Called when the disk becomes full, and when it has space again. */
  onChange(isFull: boolean, freeBytes: number): void
  /** The number of free bytes. */
  freeBytes?(dir: string): Promise<number>
  /** Called at every check. */
  onLook?(freeBytes: number): void
  readonly everyMs?: number
}

// Resumes a little above the minimum, or a single file would make the worker pause and resume repeatedly.
const roomAgain = 1.1

/** Checks once before it returns, and then every second. */
export async function startScratchWatch({
  dir,
  leastFreeBytes,
  freeBytes = freeIn,
  onChange,
  onLook,
  everyMs = 1_000,
}: ScratchWatchOptions): Promise<ScratchWatch> {
  const stopping = new AbortController()
  let wasFull = false
  let spareBytes = 0

  async function isFull(): Promise<boolean> {
    const free = await freeBytes(dir)
    onLook?.(free)
    spareBytes = Math.max(0, free - leastFreeBytes)
    const full = free < leastFreeBytes * (wasFull ? roomAgain : 1)
    if (full !== wasFull) onChange(full, free)
    wasFull = full
    return full
  }

  async function watchOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
      // If the folder cannot be checked, the tasks themselves fail.
      if (!stopping.signal.aborted) await isFull().catch(() => {})
    }
  }

  await isFull()
  const totalBytes = await totalOf(dir)
  const watching = watchOn()
  return {
    get spareBytes() {
      return spareBytes
    },
    totalBytes,
    freeBytes: () => freeBytes(dir),
    isFull,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await watching
    },
  }
}

async function freeIn(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

async function totalOf(dir: string): Promise<number> {
  const { blocks, bsize } = await statfs(dir)
  return blocks * bsize
}
