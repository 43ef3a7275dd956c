import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { buildCli } from '../../scripts/packages/build-cli.ts'

export interface CliEnd {
  readonly code: number | null
  readonly out: Buffer
  readonly err: string
}

export interface CliRun {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input?: Buffer
}

/** The command line as npm would install it, in a folder that knows nothing of this repository. */
export interface InstalledCli extends Disposable {
  /** A new empty folder, deleted with the installation. */
  newFolder(): string
  /** A folder with the command `lathe`, for PATH. */
  readonly bin: string
  start(args: readonly string[], run: CliRun): ReturnType<typeof startNode>
  run(args: readonly string[], run: CliRun): Promise<CliEnd>
}

const startNode = (args: readonly string[], { cwd, env }: CliRun) =>
  spawn(process.execPath, args, { cwd, env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env } })

export async function installCli(): Promise<InstalledCli> {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-cli-'))
  await buildCli(join(folder, 'cli'))
  const program = join(folder, 'cli/dist/lathe.js')
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'lathe'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(join(bin, 'lathe'), 0o755)
  const start = (args: readonly string[], run: CliRun) => startNode([program, ...args], run)
  return {
    newFolder: () => mkdtempSync(join(folder, 'work-')),
    bin,
    start,
    async run(args, run) {
      const child = start(args, run)
      child.stdin.end(run.input ?? '')
      const [out, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')])
      return { code: child.exitCode, out, err: err.toString() }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
