import { folderOf } from './path.ts'
import type { SftpSession } from './session.ts'
import { isMissing } from './to-failure.ts'

/** Creates a folder and its missing parents: a path that contains the task's ID needs a new folder. */
export async function makeFolders(session: SftpSession, folder: string): Promise<void> {
  const missing: string[] = []
  for (let at = withoutSlash(folder); at !== ''; at = withoutSlash(folderOf(at))) {
    if (await isFolder(session, at)) break
    missing.unshift(at)
  }
  for (const path of missing) await makeOne(session, path)
}

async function makeOne(session: SftpSession, path: string): Promise<void> {
  try {
    await session.makeFolder(path)
  } catch (error) {
    // Another export may have created it in the meantime.
    if (!(await isFolder(session, path))) throw error
  }
}

async function isFolder(session: SftpSession, path: string): Promise<boolean> {
  try {
    return (await session.stat(path)).isDirectory()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? withoutSlash(path.slice(0, -1)) : path
}
