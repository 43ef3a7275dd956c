import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scratch } from './scratch.ts'

/** A private folder on the scratch file system: everything that a task's engine can read or write. */
export interface JobFolder extends AsyncDisposable {
  readonly path: string
  /** Identifies the folder, in case an engine puts something else in its place. */
  readonly inode: number
  /** Creates a file that must not exist yet and that the engine can read. */
  createFile(name: string): Promise<FileHandle>
}

/** Creates a job folder. Disposing removes it with its contents. */
export async function createJobFolder(scratch: Scratch): Promise<JobFolder> {
  const path = await scratch.createFolder('job')
  const { ino } = await lstat(path)
  return {
    path,
    inode: ino,
    createFile: (name) => createFile(path, name),
    [Symbol.asyncDispose]: () => scratch.remove(path),
  }
}

/** Creates a file in a job folder that must not exist yet and that the engine can read. */
export async function createFile(folder: string, name: string): Promise<FileHandle> {
  // Exclusive, so that a link planted by an earlier step of the same task is never followed.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(fileIn(folder, name), flags, 0o644)
  // Whatever the worker's umask, the engine must be able to read its input.
  await file.chmod(0o644)
  return file
}

const plainName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/

/** The path of a file in a folder. A name that could lead elsewhere is a bug of the caller. */
export function fileIn(folder: string, name: string): string {
  if (!plainName.test(name)) throw new Error('a file in a job folder has a plain name')
  return join(folder, name)
}
