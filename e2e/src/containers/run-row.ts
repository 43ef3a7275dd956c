import { spawn } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Row } from './rows.ts'

/** The result of the worker in a container: it proved a level, or it ended before. */
export type RowEnd =
  | { readonly kind: 'proven'; readonly level: number; readonly hasProc: boolean; readonly missing: readonly string[] }
  | { readonly kind: 'ended'; readonly code: number | null; readonly stderr: string }

export interface RowParts {
  readonly image: string
  readonly checkout: string
  readonly engineRoot: string
  /** The seccomp profile of the row, as a podman argument. */
  readonly seccomp: string
}

// The worker is killed long before it would use these.
const env = {
  LATHE_SECRET: 'a secret that nothing is sealed with in these runs',
  DATABASE_URL: 'postgres://127.0.0.1/none',
  STORAGE_KIND: 'disk',
  STORAGE_DIR: '/scratch/files',
  LATHE_SCRATCH_DIR: '/scratch',
  ...(process.env.LATHE_TEST_ENGINE_HOST && { ENGINE_HOST: process.env.LATHE_TEST_ENGINE_HOST }),
}
const limitMs = 300_000

/** Starts the real worker in a container, waits until it has proven its sandbox or has ended, and removes the container. */
export async function runRow({ options }: Row, parts: RowParts): Promise<RowEnd> {
  const { image, checkout, seccomp } = parts
  const engineRoot = await realpath(parts.engineRoot)
  const name = `lathe-row-${process.pid}-${Math.random().toString(36).slice(2)}`
  const node = join(dirname(await realpath(join(checkout, 'node_modules/.bin/node'))), 'node')
  const args = [
    ...['run', '--rm', '--name', name, '--runtime', 'runc', '--network', 'none'],
    ...['--read-only', '--tmpfs', '/scratch:mode=1777,exec', '--tmpfs', '/tmp:mode=1777'],
    ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=8192:8192', ...options],
    ...['--security-opt', `seccomp=${seccomp}`],
    ...[checkout, engineRoot].flatMap((path) => ['--volume', `${path}:${path}:ro`]),
    ...Object.entries({ ...env, LATHE_ENGINE_ROOT: engineRoot }).flatMap(([key, value]) => [
      '--env',
      `${key}=${value}`,
    ]),
    ...['--workdir', checkout, image, node, 'apps/worker/src/main.ts'],
  ]
  const container = spawn('podman', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => void spawn('podman', ['rm', '--force', '--time', '0', name], { stdio: 'ignore' })
  const timer = setTimeout(kill, limitMs)
  let stderr = ''
  container.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<number | null>((resolve) => container.once('close', resolve))
  let proven: RowEnd | undefined
  for await (const line of createInterface({ input: container.stdout })) {
    proven ??= readProof(line)
    if (proven) kill()
  }
  const code = await ended
  clearTimeout(timer)
  return proven ?? { kind: 'ended', code, stderr }
}

function readProof(line: string): RowEnd | undefined {
  if (!line.includes('"sandboxLevel"')) return undefined
  const { sandboxLevel, privateProc, missing } = JSON.parse(line)
  return { kind: 'proven', level: sandboxLevel, hasProc: privateProc, missing }
}
