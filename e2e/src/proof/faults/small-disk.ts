import { spawnSync } from 'node:child_process'
import { appendFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** A small file system that tests can fill. */
export interface SmallDisk extends AsyncDisposable {
  /** False if mounting is not permitted: the disk is then part of the folder's file system and cannot be filled. */
  readonly canFill: boolean
  /** Writes until no space is left. */
  fill(): Promise<void>
  empty(): Promise<void>
}

const size = 96 * 1024 * 1024

/** Mounts a file system in memory over the folder. */
export async function mountDisk(folder: string): Promise<SmallDisk> {
  // A killed run leaves its mount.
  spawnSync('umount', ['--lazy', folder])
  const options = `size=${size},mode=755`
  const canFill = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'lathe-proof', folder]).status === 0
  const ballast = join(folder, 'ballast')
  const empty = () => rm(ballast, { force: true })
  return {
    canFill,
    async fill() {
      const { bavail, bsize } = await statfs(folder)
      // The rest, which others have taken or freed in the meantime, in small pieces.
      spawnSync('fallocate', ['--length', String(bavail * bsize), ballast])
      const piece = Buffer.alloc(4096)
      const write = () =>
        appendFile(ballast, piece).then(
          () => true,
          () => false,
        )
      while (canFill && (await write()));
    },
    empty,
    async [Symbol.asyncDispose]() {
      await empty()
      if (canFill) spawnSync('umount', ['--lazy', folder])
    },
  }
}
