import type { Dirent } from 'node:fs'
import { opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './write-in-place.ts'

/** Deletes the files whose key has this prefix, and folders that become empty. Returns the number of files. */
export async function deleteFilesUnder(dir: string, prefix: string): Promise<number> {
  const cut = prefix.lastIndexOf('/') + 1
  const folder = join(dir, prefix.slice(0, cut))
  const start = prefix.slice(cut)
  let count = 0
  for await (const entry of entriesOf(folder)) {
    if (entry.name.startsWith(start)) count += await deleteEntry(folder, entry)
  }
  if (start === '') await rm(folder, { recursive: true, force: true })
  return count
}

// Walks one folder's entries at a time: a prefix may hold any number of files.
async function deleteEntry(parent: string, entry: Dirent): Promise<number> {
  const path = join(parent, entry.name)
  if (!entry.isDirectory()) {
    await rm(path, { force: true })
    return isTemporary(entry) ? 0 : 1
  }
  let count = 0
  for await (const child of entriesOf(path)) count += await deleteEntry(path, child)
  await rm(path, { recursive: true, force: true })
  return count
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
