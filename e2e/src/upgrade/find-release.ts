import { execFileSync } from 'node:child_process'
import { root } from './root.ts'

/** A commit of this repository that represents the previous release. */
export interface Release {
  /** The name it was found by. */
  readonly name: string
  readonly commit: string
}

/** The output of Git, or undefined if it fails. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/** The commit of a name, if this clone has it. */
export function findRelease(name: string): Release | undefined {
  const commit = git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  return commit ? { name, commit } : undefined
}

/** The newest release tag before this commit. */
export function findNewestTag(): Release | undefined {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  return tag ? findRelease(tag) : undefined
}

/** The last commit before a migration was added: until there are tags, this is the closest to a previous release. */
export function findBeforeNewestMigration(): Release | undefined {
  const adding = git('log', '--diff-filter=A', '--format=%H', '-1', '--', 'packages/database/migrations')
  const commit = adding && git('rev-parse', '--verify', '--quiet', `${adding}^`)
  return commit ? { name: `${commit.slice(0, 7)}, before the newest migration`, commit } : undefined
}
