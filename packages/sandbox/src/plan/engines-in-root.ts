import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tool } from '@lathe/engines'

/** Those of the tools that a root goes without: the roots of images hold one family each. */
export async function toolsNotIn(root: string, tools: readonly Tool[]): Promise<readonly Tool[]> {
  const isThere = await Promise.all(tools.map(({ program }) => !program || canRun(join(root, program))))
  return tools.filter((_, place) => !isThere[place])
}

// A link in a root leads to a place in it, which is another one here: that it is there is enough.
async function canRun(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found !== undefined && (found.isSymbolicLink() || (found.mode & 0o111) !== 0)
}
