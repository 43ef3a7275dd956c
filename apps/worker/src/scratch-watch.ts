import { statfs } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** Watches how much is free where job folders are made. */
export interface ScratchWatch extends AsyncDisposable {
  /** What was free when it last looked, beyond what must stay free. */
  readonly spareBytes: number
  /** Looks now. */
  isFull(): Promise<boolean>
}

export interface ScratchWatchOptions {
  readonly dir: string
  /** With less than this free, nothing new is started. */
  readonly leastFreeBytes: number
  /** Told whenever it fills up or has room again. */
  onChange(isFull: boolean, freeBytes: number): void
  /** How many bytes are free there. */
  freeBytes?(dir: string): Promise<number>
  /** Told at every look. */
  onLook?(freeBytes: number): void
  readonly everyMs?: number
}

// Room for a little more than the least, or a single file would make the worker stop and go.
const roomAgain = 1.1

/** Looks once before it returns, and then every second. */
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
      // A folder that cannot be looked at shows in the tasks themselves.
      if (!stopping.signal.aborted) await isFull().catch(() => {})
    }
  }

  await isFull()
  const watching = watchOn()
  return {
    get spareBytes() {
      return spareBytes
    },
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
