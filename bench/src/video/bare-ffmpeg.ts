import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isFailure } from '@lathe/domain'
import { type ProcessStep, planTask } from '@lathe/engines'

const root = process.env.LATHE_ENGINE_ROOT ?? '/var/lib/lathe/engine-roots/current'

/** Runs a program of the engine root in a folder, without the service's limits. */
export async function runBare(folder: string, program: string, args: readonly string[]): Promise<string> {
  const view = ['--ro-bind', `${root}/usr`, '/usr', '--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64']
  const etc = ['--ro-bind', `${root}/etc`, '/etc', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp']
  const job = ['--bind', folder, '/job', '--chdir', '/job', '--clearenv', '--setenv', 'PATH', '/usr/bin']
  const words = ['--unshare-all', ...view, ...etc, ...job, '--', program, ...args]
  const child = spawn('bwrap', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${stderr}`)
  return stdout
}

/** The arguments that the service would use for a file, and the time in seconds that plain FFmpeg takes with them. */
export interface BareConversion {
  readonly args: readonly string[]
  readonly isRemux: boolean
  /** Where it writes the result. */
  readonly result: string
  run(): Promise<number>
}

/** Probes the file and plans the conversion like the service, then prepares it to run with plain FFmpeg. */
export async function planBare(folder: string, path: string, from: string, to: string): Promise<BareConversion> {
  const file = `in-0.${from}`
  await copyFile(path, join(folder, file))
  const source = { file, format: from, size: (await stat(path)).size, filename: basename(path) }
  const first = planTask({ operation: 'convert', sources: [source], to, options: {} })
  if (isFailure(first)) throw new Error(first.text ?? first.code)
  const probe = onlyStep(first.steps)
  const stdout = [await runBare(folder, probe.program, probe.args)]
  const next = first.next?.({ stdout, results: [{}], sizes: {} })
  if (next === undefined || isFailure(next)) throw new Error('nothing follows the probe')
  const { program, args } = onlyStep(next.steps)
  const [output] = next.outputs ?? []
  if (!output) throw new Error('the conversion has no output')
  return {
    args,
    isRemux: args.join(' ').includes('-c copy'),
    result: join(folder, output.file),
    async run() {
      const startedAt = performance.now()
      await runBare(folder, program, args)
      return (performance.now() - startedAt) / 1000
    },
  }
}

function onlyStep(steps: readonly { readonly kind: string }[]): ProcessStep {
  const [step] = steps
  if (steps.length !== 1 || step?.kind !== 'process') throw new Error('expected one process')
  return step as ProcessStep
}
