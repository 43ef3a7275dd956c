import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createFile, type JobFolder } from '../job-folder.ts'

// Linux's O_PATH, which Node does not define: opens a folder to reach files in it, without permission to list it.
const pathOnly = 0o10000000
const directory = constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Opens the folder in which an engine host keeps its job folders. A later change of the path makes no difference. */
export function openHome(path: string): Promise<FileHandle> {
  return open(path, pathOnly | directory)
}

/**
 * A job folder of an engine host, as the worker sees it. The worker keeps it open and uses the descriptor,
 * so that a compromised host cannot replace it with a link that leads the worker elsewhere.
 */
export async function openRemoteFolder(
  home: FileHandle,
  name: string,
  remove: () => Promise<void>,
): Promise<JobFolder & { readonly name: string }> {
  const handle = await open(`${descriptorPath(home)}/${name}`, constants.O_RDONLY | directory)
  const path = descriptorPath(handle)
  const { ino } = await handle.stat()
  return {
    name,
    path,
    inode: ino,
    createFile: (file) => createFile(path, file),
    async [Symbol.asyncDispose]() {
      await handle.close()
      await remove()
    },
  }
}

const descriptorPath = ({ fd }: FileHandle) => `/proc/self/fd/${fd}`
