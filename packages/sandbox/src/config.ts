import { type Static, Type } from 'typebox'

const MiB = 1024 * 1024

/** The variables that say where engines live and how far they may go. */
export const sandboxEnv = Type.Object({
  LATHE_ENGINE_ROOT: Type.String({
    default: '/var/lib/lathe/engine-roots/current',
    description: 'The engine root, as built by scripts/engine-root.sh: the only file tree an engine can see',
  }),
  LATHE_SCRATCH_DIR: Type.String({
    default: '/var/tmp/lathe',
    description: 'Where job folders are made: a local file system that the sandbox uid can reach',
  }),
  SANDBOX_UID: Type.Integer({
    minimum: 1,
    maximum: 4_294_967_293,
    default: 64_321,
    description: 'The uid and gid engines run as when the worker is root; nothing else may use it',
  }),
  SANDBOX_PROCESSES: Type.Integer({
    minimum: 16,
    default: 256,
    description: 'The most processes and threads one sandbox may hold; an engine may get fewer',
  }),
  SANDBOX_TMP_MIB: Type.Integer({
    minimum: 1,
    default: 2048,
    description: 'The most a private /tmp may hold, which counts as memory; an engine may get less',
  }),
  SANDBOX_FILE_MIB: Type.Integer({
    minimum: 1,
    default: 20_480,
    description: 'The largest single file an engine may write',
  }),
  SANDBOX_ENTRIES: Type.Integer({
    minimum: 16,
    default: 20_000,
    description: 'Files and folders an engine may leave in a job folder',
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
      'Where no user namespaces are to be had: a program that takes the arguments of bwrap and builds the sandbox by other means, such as a virtual machine. Used only with SANDBOX_RUNTIME_ATTESTED=1',
  }),
  SANDBOX_RUNTIME_ATTESTED: Type.Enum(['0', '1'], {
    default: '0',
    description: '1: somebody vouches that SANDBOX_RUNTIME isolates; it is tried all the same',
  }),
  ALLOW_INSECURE_SANDBOX: Type.Enum(['0', '1'], {
    default: '0',
    description: '1: run engines although they can break out. Heeded only with LATHE_ENVIRONMENT=development',
  }),
  LATHE_ENVIRONMENT: Type.Enum(['production', 'development'], {
    default: 'production',
    description: 'Whether strangers send files here; whoever does not say so is in production',
  }),
})

/** Where the sandbox finds its parts, and the limits every sandbox has. */
export interface SandboxConfig {
  readonly engineRoot: string
  readonly scratchDir: string
  /** The uid and gid to drop to; used only when the worker is root. */
  readonly uid: number
  readonly processes: number
  readonly tmpBytes: number
  readonly fileBytes: number
  readonly entries: number
  /** How many of each program wait for the next file. */
  readonly programsAhead: number
  /** A program that builds sandboxes where bwrap cannot, and that somebody vouches for. */
  readonly runtime?: string
  /** Whether engines may run although they are not kept in. */
  readonly allowInsecure: boolean
}

/** Turns the variables into the sandbox's own terms. */
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
