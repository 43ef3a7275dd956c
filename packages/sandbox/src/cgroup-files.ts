import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'

/** The operations on the files of a cgroup tree. All of them reject with the system's error code. */
export interface CgroupFiles {
  read(path: string): Promise<string>
  write(path: string, text: string): Promise<void>
  makeFolder(path: string): Promise<void>
  removeFolder(path: string): Promise<void>
  list(folder: string): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]>
}

/** The kernel's own tree. */
export const kernelFiles: CgroupFiles = {
  read: (path) => readFile(path, 'utf8'),
  write: (path, text) => writeFile(path, text),
  async makeFolder(path) {
    await mkdir(path)
  },
  removeFolder: (path) => rmdir(path),
  async list(folder) {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
  },
}

/** Ignores the named system errors and throws all others. */
export function ignore(...codes: readonly string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}
