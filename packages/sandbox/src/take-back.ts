import { lstat, rename } from 'node:fs/promises'
import type { JobFolder } from './job-folder.ts'

/** Moves a job's folder out of a sandbox again; false if what comes out is not the folder that went in. */
export async function takeBack(inside: string, folder: JobFolder): Promise<boolean> {
  try {
    await rename(inside, folder.path)
    const stats = await lstat(folder.path)
    return stats.isDirectory() && stats.ino === folder.inode
  } catch {
    return false
  }
}
