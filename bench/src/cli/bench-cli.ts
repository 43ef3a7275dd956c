import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCli } from '../../../scripts/packages/build-cli.ts'
import { atMost, figure, type Measure, median, say } from '../parts/measure.ts'

const goalMs = 150

/** Measures how long the bundled command line takes to its first output, next to Node.js alone. */
export async function benchCli(
  report: (measures: readonly Measure[]) => void,
  _only: readonly string[],
  isQuick: boolean,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-bench-cli-'))
  try {
    await buildCli(folder)
    const program = join(folder, 'dist/lathe.js')
    const commands = {
      node: ['-e', "process.stdout.write('x')"],
      help: [program, '--help'],
      refusal: [program, 'convert', 'missing.jpg', '--to', 'webp', '--url', 'http://127.0.0.1:9'],
    }
    const times: Record<keyof typeof commands, number[]> = { node: [], help: [], refusal: [] }
    // One of each in turn, so that a busy moment of the machine slows all of them. The first round fills caches.
    for (let round = 0; round <= (isQuick ? 3 : 20); round += 1) {
      for (const name of Object.keys(commands) as (keyof typeof commands)[]) {
        const ms = await msToFirstOutput(commands[name], folder)
        if (round > 0) times[name].push(ms)
      }
    }
    say(`${times.node.length} starts of each`)
    report([
      figure('cli_bare_node', median(times.node), 'ms'),
      atMost('cli_first_output_help', median(times.help), 'ms', goalMs),
      atMost('cli_first_output_command', median(times.refusal), 'ms', goalMs),
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The time from the start of a program to its first byte on stdout or stderr. */
async function msToFirstOutput(args: readonly string[], folder: string): Promise<number> {
  const startedAt = performance.now()
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
  const ms = performance.now() - startedAt
  child.stdout.resume()
  child.stderr.resume()
  await ended
  return ms
}
