import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Failure, isFailure } from '@lathe/domain'
import { type PlannedOutput, planTask } from '@lathe/engines'
import type { GivenOptions, ProcessingOperation } from '@lathe/operations'
import { readEnv } from '@lathe/runtime'
import {
  createSandbox,
  findOutputs,
  type JobFolder,
  openRunner,
  profileOf,
  type RunEnd,
  type RunOptions,
  runPlan,
  type Sandbox,
  sandboxConfig,
  sandboxEnv,
  type WarmPool,
  type Workshop,
} from '@lathe/sandbox'

/** A file to work on, stored with the extension of its format. */
export interface BenchSource {
  readonly format: string
  readonly content: string | Uint8Array
  /** The original file name; by default its name in the job folder. */
  readonly name?: string
  readonly folder?: string
}

export interface BenchRequest {
  readonly operation: ProcessingOperation
  readonly sources: readonly BenchSource[]
  /** Further files by role. */
  readonly roles?: Readonly<Record<string, BenchSource>>
  readonly to: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly ownerId?: string
  readonly signal?: AbortSignal
  onProgress?(share: number): void
}

export interface BenchEnd {
  readonly kind: 'done'
  /** The output files in order. */
  readonly files: readonly BenchFile[]
  readonly warnings: readonly string[]
}

interface BenchFile extends Pick<PlannedOutput, 'format' | 'name' | 'folder'> {
  readonly bytes: Buffer
}

/** Runs whole plans in the real sandbox with the real engines, without the service around them. */
export interface PlanBench extends AsyncDisposable {
  readonly sandbox: Sandbox
  run(request: BenchRequest): Promise<BenchEnd | Failure>
  /**
   * Runs one program of the engine root, to make a fixture or to inspect an output. Passes the files in and returns the
   * named output files together with standard output.
   */
  tool(program: string, args: readonly string[], io?: ToolFiles): Promise<ToolEnd>
}

export interface ToolFiles {
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly outputs?: readonly string[]
}

export interface ToolEnd {
  readonly end: RunEnd
  readonly stdout: string
  readonly outputs: Readonly<Record<string, Buffer>>
}

/**
 * Opens the sandbox, which takes half a second. Runners start when a plan needs them. Uses the default engine root if
 * none is given.
 */
export async function openPlanBench(root = process.env.LATHE_ENGINE_ROOT): Promise<PlanBench> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.adopt(await mkdtemp('/var/tmp/lathe-bench-'), (made) => rm(made, { recursive: true }))
  // Engines run as another user, which must be able to traverse the folder.
  await chmod(folder, 0o711)
  // A bench runs many programs once: starting them ahead would only take time, and what they are compared with starts
  // cold.
  const given = {
    LATHE_SCRATCH_DIR: join(folder, 'scratch'),
    SANDBOX_PROGRAMS_AHEAD: '0',
    ...(root && { LATHE_ENGINE_ROOT: root }),
  }
  const env = readEnv(sandboxEnv, given)
  // Workers check all profiles at start, and separate tests do too; other test files need not spend seconds on that.
  const sandbox = stack.use(await createSandbox(sandboxConfig(env), [profileOf('plain')]))
  const config = { engineTasks: 1, warmCalls: 100 }
  const pools = new Map<string, Promise<WarmPool>>()
  stack.defer(async () => {
    // A pool that failed to open has already reported the error to its caller.
    for (const pool of await Promise.allSettled(pools.values()))
      if (pool.status === 'fulfilled') await pool.value[Symbol.asyncDispose]()
  })
  const runners: Workshop['runners'] = {
    // The first call opens a pool: few tests need all of them.
    async call(runner, ...call) {
      const pool = pools.get(runner) ?? openRunner(sandbox, runner, config)
      pools.set(runner, pool)
      return await (await pool).call(...call)
    },
  }
  const takePermit = async () => ({ [Symbol.dispose]() {} })
  const workshop = { sandbox, runners, takePermit }
  const all = stack.move()
  return {
    sandbox,
    async run({ operation, sources, roles = {}, to, options = {}, ownerId = 'owner', signal, onProgress }) {
      await using folder = await sandbox.createJobFolder()
      const place = async ({ format, content, name, ...rest }: BenchSource, i: number) => {
        const file = `in-${i}.${format}`
        await put(folder, file, content)
        return { ...rest, file, format, size: content.length, filename: name ?? file }
      }
      const named = await Promise.all(sources.map(place))
      const playing = Object.entries(roles).map(
        async ([role, source], n) => [role, await place(source, sources.length + n)] as const,
      )
      const request = { operation, sources: named, roles: Object.fromEntries(await Promise.all(playing)), to }
      // Tests may also give values that no request has.
      const plan = planTask({ ...request, options: options as GivenOptions })
      if (isFailure(plan)) return plan
      const stop = signal ?? new AbortController().signal
      const end = await runPlan(workshop, { plan, folder, ownerId, signal: stop, ...(onProgress && { onProgress }) })
      if (isFailure(end)) return end
      return await collect(sandbox, folder, end)
    },
    async tool(program, args, { files = {}, outputs = [] } = {}) {
      await using folder = await sandbox.createJobFolder()
      for (const [file, content] of Object.entries(files)) await put(folder, file, content)
      let stdout = ''
      const limits = { timeMs: 120_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 1024 ** 3 }
      const run: RunOptions = {
        folder,
        signal: new AbortController().signal,
        onLine: (line) => (stdout += `${line}\n`),
      }
      const end = await sandbox.run({ program, args, limits }, run)
      const found: Record<string, Buffer> = {}
      for (const name of outputs) {
        const bytes = await readFile(join(folder.path, name)).catch(() => undefined)
        if (bytes) found[name] = bytes
      }
      return { end, stdout, outputs: found }
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function put(folder: JobFolder, name: string, content: string | Uint8Array): Promise<void> {
  await using file = await folder.createFile(name)
  await file.writeFile(content)
}

async function collect(
  sandbox: Sandbox,
  folder: JobFolder,
  { outputs, warnings }: Exclude<Awaited<ReturnType<typeof runPlan>>, Failure>,
): Promise<BenchEnd | Failure> {
  const files: BenchFile[] = []
  const all = [...warnings]
  for (const { file, format, name, folder: place, unlessSmallerThan } of await findOutputs(folder, outputs)) {
    await using opened = await sandbox.openOutput(folder, file).then(held)
    if (isFailure(opened.output)) return opened.output
    const bytes = await readFile(join(folder.path, file))
    const original = unlessSmallerThan && (await readFile(join(folder.path, unlessSmallerThan)))
    const isKept = original && original.length <= bytes.length
    if (isKept) all.push('original')
    files.push({ format, bytes: isKept ? original : bytes, ...(name && { name }), ...(place && { folder: place }) })
  }
  return { kind: 'done', files, warnings: all }
}

function held(output: Awaited<ReturnType<Sandbox['openOutput']>>) {
  return {
    output,
    async [Symbol.asyncDispose]() {
      if (!isFailure(output)) await output[Symbol.asyncDispose]()
    },
  }
}
