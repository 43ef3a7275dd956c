import { execFileSync } from 'node:child_process'

/** The files that differ from where the current branch left `base`, whether they are committed or not. */
export function findChanged(root: string, base: string): readonly string[] {
  const git = (...args: string[]) => listFiles(root, ...args)
  let from: string | undefined
  try {
    from = git('merge-base', base, 'HEAD')[0]
  } catch {
    // git itself tells less.
  }
  if (from === undefined) {
    throw new Error(
      `CI_BASE=${base} is no commit that this clone shares with HEAD: fetch it, or run everything without CI_BASE`,
    )
  }
  const changed = git('diff', '--name-only', '--no-renames', '-z', from)
  const added = git('ls-files', '--others', '--exclude-standard', '-z')
  return [...new Set([...changed, ...added])].sort()
}

/** What git prints, a file each; without -z, a line each. */
export function listFiles(root: string, ...args: readonly string[]): readonly string[] {
  const said = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return said.split(/[\0\n]/).filter((line) => line !== '')
}
