import type { Failure } from '@lathe/domain'
import { openCgroupHome } from './cgroup.ts'
import type { SandboxConfig } from './config.ts'
import { type EngineRoot, findEngineRoot } from './find-engine-root.ts'
import { readHardLimits } from './hard-limits.ts'
import { inheritedDescriptors } from './inherited-descriptors.ts'
import { createJobFolder, type JobFolder } from './job-folder.ts'
import { type Output, openOutput } from './open-output.ts'
import { type EngineProfile, profiles } from './profiles.ts'
import { createProgramsAhead } from './programs-ahead.ts'
import { proveIsolation, type SandboxLevel, tryProfiles } from './prove-isolation.ts'
import { rulesKernel } from './rules-kernel.ts'
import { type ProcessStep, type RunEnd, type RunHost, type RunOptions, run } from './run.ts'
import { openScratch, type Scratch } from './scratch.ts'
import { isKnownArchitecture } from './seccomp/syscalls.ts'
import type { Host } from './start-process.ts'

/** This machine cannot isolate engines. The worker must not serve. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable'
}

/** What the sandbox is built from on this machine, for the log and for operators. */
export interface SandboxReport {
  readonly engineRoot: string
  /** The last known time at which no newer packages were published. */
  readonly engineRootUpToDateAt: Date
  /** The manifest of the engine root: its name and the versions of its engines. */
  readonly manifest: Readonly<Record<string, unknown>>
  readonly uid: number
  readonly cgroup: 'v1' | 'v2' | undefined
  readonly privateProc: boolean
  /** What is missing for a higher level. */
  readonly missing: readonly string[]
  /** What engines can do although they must not. Empty above level 0. */
  readonly faults: readonly string[]
}

/** The only place where engines run. */
export interface Sandbox extends AsyncDisposable {
  readonly level: SandboxLevel
  readonly report: SandboxReport
  /** Creates a private folder on the scratch file system. */
  createJobFolder(): Promise<JobFolder>
  /** Runs one program in its own sandbox, and waits until all its processes are gone. */
  run(step: ProcessStep, options: RunOptions): Promise<RunEnd>
  /** Opens a file that the engine created, if it is a plain file and not too large. */
  openOutput(folder: JobFolder, file: string, maxSize?: number): Promise<Output | Failure>
  /** The parts on which warm pools build. */
  readonly host: Host & RunHost
  readonly scratch: Scratch
}

/**
 * Creates the sandbox and proves that it holds by trying to break out. Throws SandboxUnavailable otherwise. Services
 * prove it in every profile. Tests that open many sandboxes on one machine may name the profiles to prove it in.
 */
export async function createSandbox(
  config: SandboxConfig,
  provedIn: readonly EngineProfile[] = profiles,
): Promise<Sandbox> {
  await using stack = new AsyncDisposableStack()
  const engineRoot = await openEngineRoot(config.engineRoot)
  const architecture = process.arch
  if (!isKnownArchitecture(architecture)) {
    throw new SandboxUnavailable(`there is no system call filter for ${architecture}`)
  }
  const isRoot = process.getuid?.() === 0
  const identity = isRoot ? { uid: config.uid, gid: config.uid } : undefined
  const scratch = stack.use(await openScratch(config.scratchDir, identity))
  const cgroups = await openCgroupHome(scratch.name)
  if (cgroups) stack.use(cgroups)
  const { processes, tmpBytes, fileBytes, entries } = config
  const limits = { processes, tmpBytes, fileBytes, entries }
  const inherited = await inheritedDescriptors()
  const worker = { inherited, identity, hardLimits: await readHardLimits(), rulesKernel: await rulesKernel() }
  const base = { engineRoot: engineRoot.path, ...worker, cgroups, architecture, ...limits }
  const proof = await proveIsolation<Host & RunHost>(base, config, (host) => tryProfiles(host, scratch, provedIn))
  if (!('level' in proof)) throw new SandboxUnavailable(`engines cannot be isolated here: ${proof.faults.join('; ')}`)
  const { level, host, missing, faults } = proof
  const programs = stack.use(createProgramsAhead({ host, scratch }, { each: config.programsAhead }))
  const keep = stack.move()
  return {
    level,
    report: { ...toReport(host, engineRoot), missing, faults },
    createJobFolder: () => createJobFolder(scratch),
    run: (step, options) => run({ host, programs }, step, options),
    openOutput,
    host,
    scratch,
    [Symbol.asyncDispose]: () => keep.disposeAsync(),
  }
}

async function openEngineRoot(path: string): Promise<EngineRoot> {
  try {
    return await findEngineRoot(path)
  } catch (cause) {
    throw new SandboxUnavailable(`no engine root of this version at ${path}: run scripts/engine-root.sh`, { cause })
  }
}

function toReport(host: Host, engineRoot: EngineRoot) {
  return {
    engineRoot: engineRoot.path,
    engineRootUpToDateAt: engineRoot.upToDateAt,
    manifest: engineRoot.manifest,
    uid: host.identity?.uid ?? process.getuid?.() ?? -1,
    cgroup: host.cgroups?.kind,
    privateProc: host.privateProc,
  }
}
