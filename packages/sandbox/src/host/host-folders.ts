import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { JobFolder } from '../job-folder.ts'
import type { Sandbox } from '../sandbox.ts'

/** The job folders that one worker has at its engine host, by name. */
export interface HostFolders extends AsyncDisposable {
  create(): Promise<string>
  /** Throws if no folder has this name. */
  get(name: string): JobFolder
  remove(name: string): Promise<void>
}

/** Creates folders for one connection. Disposing removes the remaining ones. */
export function createHostFolders({ createJobFolder }: Pick<Sandbox, 'createJobFolder'>): HostFolders {
  const folders = new Map<string, JobFolder>()
  function get(name: string): JobFolder {
    const folder = folders.get(name)
    if (!folder) throw new Error('there is no such job folder')
    return folder
  }
  async function remove(name: string): Promise<void> {
    const folder = get(name)
    folders.delete(name)
    await folder[Symbol.asyncDispose]()
  }
  return {
    async create() {
      const folder = await createJobFolder()
      const name = basename(folder.path)
      folders.set(name, folder)
      return name
    },
    get,
    remove,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([...folders.keys()].map(remove))
    },
  }
}

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const readableByAll = 0o444

/** Lets the worker, which is another user, read files that engines made readable only for themselves. */
export async function letWorkerRead({ path }: JobFolder): Promise<void> {
  for (const name of await readdir(path)) {
    const file = join(path, name)
    const stats = await lstat(file).catch(() => undefined)
    if (!stats?.isFile() || (stats.mode & readableByAll) === readableByAll) continue
    // Checked by the open descriptor: the name may belong to another file by now. Files that cannot be opened stay.
    await using handle = await open(file, flags).catch(() => undefined)
    const held = await handle?.stat()
    if (handle && held?.isFile() && held.nlink === 1) await handle.chmod(held.mode | readableByAll)
  }
}
