import type { Dirent } from 'node:fs'
import { opendir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ObjectsNotDeleted } from '../object-store.ts'
import { hasCode } from './write-in-place.ts'

/** Deletes files by key. */
export async function deleteFiles(dir: string, keys: readonly string[]): Promise<void> {
  const left: string[] = []
  let cause: unknown
  for (const key of keys) {
    await rm(join(dir, key), { force: true }).catch((error: unknown) => {
      left.push(key)
      cause ??= error
    })
  }
  if (left.length > 0) throw new ObjectsNotDeleted(left, cause)
}

/**
 * Deletes the files whose key has this prefix, and folders that become empty. Returns the number of files. A file that
 * cannot be deleted keeps no other: the error is thrown at the end.
 */
export async function deleteFilesUnder(dir: string, prefix: string): Promise<number> {
  const cut = prefix.lastIndexOf('/') + 1
  const folder = join(dir, prefix.slice(0, cut))
  const start = prefix.slice(cut)
  const deletion: Deletion = { count: 0, left: [], cause: undefined }
  for await (const entry of entriesOf(folder)) {
    if (entry.name.startsWith(start)) await deleteEntry(folder, entry, deletion)
  }
  if (start === '') await rmdir(folder).catch(() => {})
  if (deletion.left.length > 0) throw new ObjectsNotDeleted(deletion.left, deletion.cause)
  return deletion.count
}

interface Deletion {
  count: number
  readonly left: string[]
  cause: unknown
}

// Walks one folder's entries at a time: a prefix may hold any number of files.
async function deleteEntry(parent: string, entry: Dirent, deletion: Deletion): Promise<void> {
  const path = join(parent, entry.name)
  const isFolder = entry.isDirectory()
  if (isFolder) for await (const child of entriesOf(path)) await deleteEntry(path, child, deletion)
  try {
    await (isFolder ? removeFolder(path) : rm(path, { force: true }))
    if (!isFolder && !isTemporary(entry)) deletion.count += 1
  } catch (error) {
    deletion.left.push(path)
    deletion.cause ??= error
  }
}

// One that is not empty holds what could not be deleted, or what is being written now.
async function removeFolder(path: string): Promise<void> {
  try {
    await rmdir(path)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'ENOENT')) throw error
  }
}

/** The entries of a folder; none if it does not exist. */
export async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

/** Whether this is a file that is still being written, or what a crash left of one. */
export function isTemporary({ name }: Pick<Dirent, 'name'>): boolean {
  return name.startsWith('.')
}
