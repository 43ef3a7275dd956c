import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes a file under a temporary name, and renames it only when it is complete and on the disk. The temporary file is
 * in the key's first folder: if a crash leaves it behind, it is deleted with that prefix. No key can name it, as no
 * segment of a key starts with a dot.
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
  // Not recursive: the store's own folder is never recreated, or a missing mount would go unnoticed.
  if (folder !== join(dir)) await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting)
  try {
    await write(temporary)
    signal.throwIfAborted()
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(temporary, target)
    await syncFolder(dirname(target))
  } finally {
    // Also after success: renaming one hard link of a file over another leaves both.
    await rm(temporary, { force: true })
  }
}

/** Whether this is a system error with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** For operations on files that may be gone: undefined instead of ENOENT. */
export function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error
}

// Without this, a power failure may lose the name, though the bytes are on the disk.
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}
