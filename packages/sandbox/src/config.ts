import { type Static, Type } from 'typebox'

const MiB = 1024 * 1024

/** The variables that set where engines are and which limits they have. */
export const sandboxEnv = Type.Object({
  LATHE_ENGINE_ROOT: Type.String({
    default: '/var/lib/lathe/engine-roots/current',
    description: 'Engine root, built by scripts/engine-root.sh: the only file tree that engines can see',
  }),
  LATHE_SCRATCH_DIR: Type.String({
    default: '/var/tmp/lathe',
    description: 'Directory for temporary job files, on a local file system that SANDBOX_UID can access',
  }),
  SANDBOX_UID: Type.Integer({
    minimum: 1,
    maximum: 4_294_967_293,
    default: 64_321,
    description: 'uid and gid of engines when the worker runs as root. Nothing else may use them',
  }),
  SANDBOX_PROCESSES: Type.Integer({
    minimum: 16,
    default: 256,
    description: 'Maximum number of processes and threads in one sandbox. Engines may have lower limits',
  }),
  SANDBOX_TMP_MIB: Type.Integer({
    minimum: 1,
    default: 2048,
    description: 'Maximum size of the private /tmp of a sandbox, which counts as memory. Engines may have lower limits',
  }),
  SANDBOX_FILE_MIB: Type.Integer({
    minimum: 1,
    default: 20_480,
    description: 'Maximum size of a file that an engine may write',
  }),
  SANDBOX_ENTRIES: Type.Integer({
    minimum: 16,
    default: 20_000,
    description: 'Maximum number of files and directories that an engine may leave in a job directory',
  }),
  SANDBOX_PROGRAMS_AHEAD: Type.Integer({
    minimum: 0,
    maximum: 16,
    default: 2,
    description:
      'Converter programs to keep started for the next file, for each program used in the last five minutes; 0 saves memory, but every conversion then waits for its programs to start',
  }),
  SANDBOX_RUNTIME: Type.String({
    default: '',
    description:
      'Program that replaces bwrap on machines without user namespaces. It takes the arguments of bwrap and isolates by other means, such as a virtual machine. Requires SANDBOX_RUNTIME_ATTESTED=1',
  }),
  SANDBOX_RUNTIME_ATTESTED: Type.Enum(['0', '1'], {
    default: '0',
    description: '1: you confirm that SANDBOX_RUNTIME isolates engines. The worker still tests it at start',
  }),
  ALLOW_INSECURE_SANDBOX: Type.Enum(['0', '1'], {
    default: '0',
    description: '1: run engines without isolation. Only works with LATHE_ENVIRONMENT=development',
  }),
  LATHE_ENVIRONMENT: Type.Enum(['production', 'development'], {
    default: 'production',
    description: '`production` or `development`. Development permits settings that are unsafe with untrusted files',
  }),
})

/** Where the parts of the sandbox are, and the limits of every sandbox. */
export interface SandboxConfig {
  readonly engineRoot: string
  readonly scratchDir: string
  /** The uid and gid to drop to; used only when the worker is root. */
  readonly uid: number
  readonly processes: number
  readonly tmpBytes: number
  readonly fileBytes: number
  readonly entries: number
  /** How many instances of each program wait for the next file. */
  readonly programsAhead: number
  /** An operator-trusted program that builds sandboxes where bwrap cannot. */
  readonly runtime?: string
  /** Whether engines may run without isolation. */
  readonly allowInsecure: boolean
}

/** Converts the variables to the sandbox's configuration. */
export function sandboxConfig(env: Static<typeof sandboxEnv>): SandboxConfig {
  return {
    engineRoot: env.LATHE_ENGINE_ROOT,
    scratchDir: env.LATHE_SCRATCH_DIR,
    uid: env.SANDBOX_UID,
    processes: env.SANDBOX_PROCESSES,
    tmpBytes: env.SANDBOX_TMP_MIB * MiB,
    fileBytes: env.SANDBOX_FILE_MIB * MiB,
    entries: env.SANDBOX_ENTRIES,
    programsAhead: env.SANDBOX_PROGRAMS_AHEAD,
    ...(env.SANDBOX_RUNTIME && env.SANDBOX_RUNTIME_ATTESTED === '1' ? { runtime: env.SANDBOX_RUNTIME } : {}),
    allowInsecure: env.ALLOW_INSECURE_SANDBOX === '1' && env.LATHE_ENVIRONMENT === 'development',
  }
}
