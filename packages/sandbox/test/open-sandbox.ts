import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxConfig } from '../src/config.ts'
import { createSandbox, type Sandbox } from '../src/index.ts'

const MiB = 1024 * 1024

/** A sandbox on the real engine root with its own scratch folder and uid, so that residue can be detected. */
export interface TestSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly config: SandboxConfig
  /** The remaining processes of the sandbox. */
  processes(): Promise<readonly string[]>
  /** The remaining files in the worker's scratch folder. */
  files(): Promise<readonly string[]>
}

/** Opens a sandbox for one test file. */
export async function openSandbox(uid: number, more: Partial<SandboxConfig> = {}): Promise<TestSandbox> {
  const scratchDir = await mkdtemp('/var/tmp/lathe-sandbox-test-')
  await chmod(scratchDir, 0o711)
  const config: SandboxConfig = {
    engineRoot: process.env.LATHE_ENGINE_ROOT ?? '/var/lib/lathe/engine-roots/current',
    scratchDir,
    uid,
    processes: 64,
    tmpBytes: 64 * MiB,
    fileBytes: 256 * MiB,
    entries: 1000,
    // Programs that wait for a next run would look like residue.
    programsAhead: 0,
    allowInsecure: false,
    ...more,
  }
  const sandbox = await createSandbox(config)
  return {
    sandbox,
    config,
    processes: () => processesOf(process.getuid?.() === 0 ? uid : undefined),
    files: () => readdir(join(scratchDir, sandbox.scratch.name)),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await rm(scratchDir, { recursive: true })
    },
  }
}

async function processesOf(uid: number | undefined): Promise<readonly string[]> {
  if (uid === undefined) return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      return status.includes(`\nUid:\t${uid}\t`) && !/\nState:\s+[ZX]/.test(status) ? [pid] : []
    }),
  )
  return found.flat()
}

/** Waits for a condition, and throws if it is not met in time. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 5000): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
