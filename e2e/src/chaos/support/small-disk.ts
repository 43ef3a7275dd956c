import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface SmallDisk extends Disposable {
  fill(): void
  empty(): void
}

/** A small file system of its own for one worker's scratch folder, as far as this machine lets us mount one. */
export function mountScratch(folder: string, sizeMiB = 256): SmallDisk {
  mkdirSync(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=755`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  return {
    fill() {
      const file = openSync(filler, 'w')
      const piece = Buffer.alloc(4096)
      try {
        for (;;) writeSync(file, piece)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler),
    [Symbol.dispose]: () => void execFileSync('umount', ['--lazy', folder]),
  }
}
