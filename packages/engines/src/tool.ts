import type { EngineFamily } from '@lathe/domain'

/**
 * What a tool sees and may use in the sandbox. Data only. Before a worker serves tasks, the sandbox of every profile is
 * tested with the evil engine.
 */
export interface ToolProfile {
  /**
   * The parts of the engine root it sees in addition to /usr, as paths below the root. Parts that a root lacks are
   * skipped.
   */
  readonly parts: readonly string[]
  /** Programs that are hidden from it, as paths below the root: other tools that it would pass files to. */
  readonly hides: readonly string[]
  /** Environment variables in addition to those of every tool. Only constants. */
  readonly env?: Readonly<Record<string, string>>
  /** Maximum number of processes and threads. */
  readonly processes: number
  /** The maximum memory that any of its steps may request. */
  readonly memoryBytes: number
  /** Size of its /tmp, which counts as memory. */
  readonly tmpBytes: number
  /** Cores that all its processes together may use. */
  readonly cpus: number
  readonly seccomp: SystemCallRules
}

/** How the system call filter of a tool differs from the default. */
export interface SystemCallRules {
  /** Socket families it may use; only unix sockets if not given. The network namespace is empty in any case. */
  readonly socketFamilies?: readonly ('unix' | 'inet' | 'inet6' | 'netlink')[]
  /** False: datagram and raw sockets are refused in every family. */
  readonly datagrams?: boolean
  /** If given, only these calls are allowed; otherwise all that no rule refuses. */
  readonly only?: SystemCalls
}

/** System calls by name, with their numbers on x86_64 and aarch64. */
export type SystemCalls = Readonly<Record<string, readonly [number | undefined, number | undefined]>>

/** One of Lathe's scripts that is started in advance in the sandbox and answers calls. */
export interface Runner {
  /** Node runs `.mjs`, Python runs `.py`. Files with the same extension next to it are included. */
  readonly script: URL
  /**
   * Whether an instance serves many calls of one owner or only one call. With one call, nothing that a page did to a
   * browser affects the next one.
   */
  readonly serves: 'owner' | 'one call'
  /** The maximum memory of an idle instance. One that holds more is replaced. */
  readonly keepBytes: number
  /**
   * Whether to run it once as `script prepare` first. All instances can read the files that this leaves in its folder.
   */
  readonly prepare?: boolean
  /** Memory limit until it can serve; each call sets its own limits. */
  readonly startBytes?: number
}

/** Runs the steps of plans: programs of the engine root with one profile, or a runner. */
export interface Tool {
  /** The name that steps refer to. */
  readonly name: string
  /** The family it is installed with. */
  readonly family: EngineFamily
  /** The program or library folder it needs, as a path below the engine root. If not given, every root has it. */
  readonly program?: string
  /** Whether it needs its own /proc to start. */
  readonly needsProc?: boolean
  readonly profile: ToolProfile
  readonly runner?: Runner
}

export const MiB = 1024 ** 2
export const GiB = 1024 ** 3

// Needed to find libraries and fonts. No tool needs the rest of /etc.
const etc = ['etc/alternatives', 'etc/fonts', 'etc/group', 'etc/ld.so.cache', 'etc/passwd']
// Without it, every process that draws text scans all fonts first.
const fontCache = 'var/cache/fontconfig'

/** For a program of the root without special needs: the profile of steps that name none. */
export const plainProfile: ToolProfile = {
  parts: [...etc, fontCache, 'opt/lathe/bin'],
  hides: [],
  processes: 64,
  memoryBytes: 4 * GiB,
  tmpBytes: 256 * MiB,
  cpus: 4,
  seccomp: {},
}

/** The profile of most tools. PostScript files are programs, so Ghostscript is hidden from all other tools. */
export const usualProfile: ToolProfile = { ...plainProfile, hides: ['usr/bin/gs'] }
