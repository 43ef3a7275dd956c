import { chmod, chown, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Launch } from './launch-command.ts'
import { removeTree } from './remove-tree.ts'
import { createWorkerName, isLeftover } from './worker-name.ts'

/** This worker's part of the scratch file system. */
export interface Scratch extends AsyncDisposable {
  /** Identifies this worker among all that ever ran here. */
  readonly name: string
  /** Creates a folder that sandboxes of this worker can pass through but not change. */
  createPassage(prefix: string): Promise<string>
  /** Creates a folder that belongs to the sandbox. */
  createFolder(prefix: string): Promise<string>
  /** Removes one of the folders created here. Refuses any other path. */
  remove(path: string): Promise<void>
}

/** Opens the worker's part, and removes the parts of workers that died. */
export async function openScratch(dir: string, identity: Launch['identity']): Promise<Scratch> {
  // A folder that already existed keeps its permissions: it may be /tmp.
  const created = await mkdir(dir, { recursive: true })
  if (created !== undefined) await letThrough(dir, identity)
  const name = await createWorkerName()
  await removeLeftovers(dir, identity)
  const home = join(dir, name)
  await mkdir(home)
  await letThrough(home, identity)
  let count = 0

  async function createIn(prefix: string): Promise<string> {
    count += 1
    const path = join(home, `${prefix}-${count}`)
    await mkdir(path, { mode: 0o700 })
    return path
  }

  return {
    name,
    async createPassage(prefix) {
      const path = await createIn(prefix)
      await letThrough(path, identity)
      return path
    },
    async createFolder(prefix) {
      const path = await createIn(prefix)
      if (!identity) return path
      // The group is the sandbox's, and also the worker's where that is another user, which writes inputs. Set while
      // the folder is still ours: a root user without CAP_FOWNER may not change it afterwards.
      await chmod(path, 0o770)
      await chown(path, identity.uid, identity.gid)
      return path
    },
    async remove(path) {
      // Removal runs as root: a path from anywhere else is a bug that must not delete files.
      if (dirname(path) !== home) throw new Error('only folders of this scratch are removed')
      await removeTree(path, identity)
    },
    async [Symbol.asyncDispose]() {
      for (const entry of await readdir(home).catch(() => [])) await removeTree(join(home, entry), identity)
      await removeTree(home, identity)
    },
  }
}

// The worker may use the folder, the sandbox's group may pass through it, and all others have no access.
async function letThrough(path: string, identity: Launch['identity']): Promise<void> {
  if (identity) await chown(path, process.getuid?.() ?? 0, identity.gid)
  await chmod(path, identity ? 0o710 : 0o700)
}

async function removeLeftovers(dir: string, identity: Launch['identity']): Promise<void> {
  for (const entry of await readdir(dir)) {
    if (!(await isLeftover(entry))) continue
    // Two workers may clean up at once: what one cannot remove, the other has removed.
    const parts = await readdir(join(dir, entry)).catch(() => [])
    for (const part of parts) await removeTree(join(dir, entry, part), identity).catch(() => {})
    await removeTree(join(dir, entry), identity).catch(() => {})
  }
}
