import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tool } from '@lathe/engines'

/** The tools that a root does not contain. The roots of container images contain one family each. */
export async function toolsNotIn(root: string, tools: readonly Tool[]): Promise<readonly Tool[]> {
  const isThere = await Promise.all(tools.map(({ program }) => !program || canRun(join(root, program))))
  return tools.filter((_, place) => !isThere[place])
}

// An absolute link in a root has its target inside the root, which is another path out here: the link itself is enough.
async function canRun(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found !== undefined && (found.isSymbolicLink() || (found.mode & 0o111) !== 0)
}
