import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Makes a file under a temporary name and gives it its own only when it is whole and on the disk.
 * The temporary file lies in the key's first folder: if a crash leaves it, it goes with that prefix.
 * No key names it, as no segment of a key starts with a dot.
 */
export async function writeInPlace(
  dir: string,
  key: string,
  signal: AbortSignal,
  write: (path: string) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  const target = join(dir, key)
  const folder = join(dir, key.includes('/') ? key.slice(0, key.indexOf('/')) : '')
  const temporary = join(folder, `.${randomUUID()}`)
  // Not recursive: the store's own folder is never made anew, or a missing mount would go unnoticed.
  if (folder !== join(dir)) await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting)
  try {
    await write(temporary)
    signal.throwIfAborted()
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(temporary, target)
    await syncFolder(dirname(target))
  } finally {
    // Also after success: renaming one name of a file over another name of it leaves both.
    await rm(temporary, { force: true })
  }
}

/** Whether an error is the system's, with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error
}

// Without it a name may be lost with the power, though its bytes are on the disk.
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}
