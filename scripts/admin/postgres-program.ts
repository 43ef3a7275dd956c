import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { libpqEnv } from '@lathe/database'
import { AdminError } from './admin-error.ts'

export type PostgresProgram = 'pg_dump' | 'pg_restore' | 'psql'

/** A running PostgreSQL program. */
export interface RunningProgram {
  readonly child: ChildProcess
  /** Rejects with the program's last output if it fails. */
  readonly ended: Promise<void>
}

// Debian has one folder per version. A newer program understands older servers, but not the other way around.
const versions = '/usr/lib/postgresql'
const mostWords = 2_000

/** The path of the newest version of a program; falls back to PATH if Debian's folders do not exist. */
export function findProgram(name: PostgresProgram): string {
  const versionOf = (path: string) => Number.parseInt(path.slice(versions.length + 1), 10)
  const newest = globSync(`${versions}/*/bin/${name}`).sort((a, b) => versionOf(a) - versionOf(b))
  return newest.findLast((path) => existsSync(path)) ?? name
}

/** Starts a program; if it connects, it connects to the database of the URL. */
export function startProgram(
  name: PostgresProgram,
  args: readonly string[],
  { url, stdio }: { readonly url: string; readonly stdio: StdioOptions },
): RunningProgram {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(findProgram(name), args, { stdio, env: { PATH, HOME, PGAPPNAME: 'lathe', ...libpqEnv(url) } })
  let words = ''
  child.stderr?.on('data', (chunk) => {
    words = `${words}${chunk}`.slice(-mostWords)
  })
  const ended = once(child, 'close').then(
    ([code, signal]) => {
      if (code !== 0) throw new AdminError(`${name} ended with ${code ?? signal}: ${words.trim()}`)
    },
    (error) => {
      if (error.code !== 'ENOENT') throw error
      throw new AdminError(`${name} is not installed: install the client programs of PostgreSQL (postgresql-client)`)
    },
  )
  // The caller may still be reading its output before it awaits `ended`.
  ended.catch(() => {})
  return { child, ended }
}
