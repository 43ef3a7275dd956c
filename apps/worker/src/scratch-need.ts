import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Failure, failure } from '@lathe/domain'
import type { Services } from './services.ts'

/** The files of a task do not fit into the scratch space of this worker. */
export class ScratchExceeded extends Error {
  override readonly name = 'ScratchExceeded'
  readonly bytes: number
  readonly totalBytes: number

  constructor({ bytes, totalBytes }: { bytes: number; totalBytes: number }, cause?: unknown) {
    super('the files of the task do not fit into the scratch space', { cause })
    this.bytes = bytes
    this.totalBytes = totalBytes
  }
}

/** Whether an error means that no space is left. */
export function isOutOfSpace(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Throws if inputs of this size can never fit. */
export function requireScratch({ totalBytes }: Services['scratch'], bytes: number): void {
  if (bytes > totalBytes) throw new ScratchExceeded({ bytes, totalBytes })
}

/**
 * Called when the scratch disk is full, before the folder of the task is removed: throws if the task itself has filled
 * it. Otherwise other tasks have, and the task may succeed when they are done.
 */
export async function blameForFullDisk(
  scratch: Services['scratch'],
  { path, inputBytes, cause }: { path: string; inputBytes: number; cause?: unknown },
): Promise<void> {
  const { totalBytes } = scratch
  const [own, free] = await Promise.all([bytesIn(path), scratch.freeBytes()])
  const bytes = Math.max(own, inputBytes)
  if (bytes > (totalBytes - free) / 2) throw new ScratchExceeded({ bytes, totalBytes }, cause)
}

const MiB = 1024 ** 2

/** The end of a task whose files fit into the scratch space of no worker that tried. */
export function noScratchLeft({ bytes, totalBytes, cause }: ScratchExceeded): Failure {
  const [needed, has] = [bytes, totalBytes].map((number) => `${Math.ceil(number / MiB).toLocaleString('en')} MiB`)
  const text = `The task needs more temporary space than this service has for it: at least ${needed}, of ${has}. Use a smaller file, split it first, or ask the operators to give the workers more scratch space (LATHE_SCRATCH_DIR).`
  return failure('limit_exceeded', { text, ...(cause !== undefined && { detail: String(cause) }) })
}

// An engine may have made any number of files.
const mostEntries = 10_000

async function bytesIn(path: string): Promise<number> {
  let bytes = 0
  let entries = 0
  for (const folders = [path]; folders.length > 0 && entries < mostEntries; ) {
    const folder = folders.pop() ?? path
    // An engine may have made folders that only it can read.
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      entries += 1
      const child = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(child)
      else bytes += (await lstat(child).catch(() => undefined))?.size ?? 0
    }
  }
  return bytes
}
