import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The root of the repository, with a trailing slash. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface ProgramEnd {
  readonly code: number | null
  /** Its output to stdout and stderr. */
  readonly output: string
}

export interface ProgramOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Runs a program as a reader of the documentation would, without this process's environment except for the programs of
 * the checkout.
 */
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

/**
 * Makes the commands of a page fail if the service refuses them, which curl does not do by default; and keeps traffic
 * on this machine.
 */
export const shellPrelude = ['set -euo pipefail', 'curl() { command curl --fail-with-body --noproxy "*" "$@"; }']
