import { lstat, rename } from 'node:fs/promises'
import type { JobFolder } from './job-folder.ts'

/** Moves a job's folder back out of a sandbox. Returns false if it is not the folder that went in. */
export async function takeBack(inside: string, folder: JobFolder): Promise<boolean> {
  try {
    await rename(inside, folder.path)
    const stats = await lstat(folder.path)
    return stats.isDirectory() && stats.ino === folder.inode
  } catch {
    return false
  }
}
