import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The root of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface ProgramEnd {
  readonly code: number | null
  /** What it wrote to stdout and stderr. */
  readonly output: string
}

export interface ProgramOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs a program as a reader of the documentation would, with nothing of this process but the programs of the checkout. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: ProgramOptions,
): Promise<ProgramEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramEnd>()
  const path = `${root}node_modules/.bin:/usr/local/bin:/usr/bin:/bin`
  const child = spawn(program, args, { cwd, env: { PATH: path, ...env }, timeout: 100_000 })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  child.once('error', (error) =>
    reject(new Error(`${program} does not run; npm run setup installs it`, { cause: error })),
  )
  child.once('close', (code) => resolve({ code, output }))
  return promise
}

/** What makes commands of a page fail where the service refuses them, which curl does not by itself; and nothing leaves this machine. */
export const shellPrelude = ['set -euo pipefail', 'curl() { command curl --fail-with-body --noproxy "*" "$@"; }']
