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
    default: 128,
    description: 'Processes and threads one sandbox may hold',
  }),
  SANDBOX_TMP_MIB: Type.Integer({
    minimum: 1,
    default: 256,
    description: 'Size of the private /tmp of one sandbox; it counts as memory',
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
  }
}
