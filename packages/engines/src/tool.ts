import type { EngineFamily } from '@lathe/domain'

/** What a tool sees and may use in the sandbox. Data only; the evil engine is run in every profile before a worker serves. */
export interface ToolProfile {
  /** What it sees of the engine root beside /usr, as paths below it; what a root does not have is left out. */
  readonly parts: readonly string[]
  /** Programs it must not find, as paths below the root: other tools that it would hand files to. */
  readonly hides: readonly string[]
  /** Variables it gets beyond those of every tool: constants of ours. */
  readonly env?: Readonly<Record<string, string>>
  /** Processes and threads. */
  readonly processes: number
  /** The most memory any of its steps may ask for. */
  readonly memoryBytes: number
  /** Size of its /tmp, which counts as memory. */
  readonly tmpBytes: number
  /** Cores it may keep busy, all its processes together. */
  readonly cpus: number
  readonly seccomp: SystemCallRules
}

/** In what the system call filter of a tool differs from everybody's. */
export interface SystemCallRules {
  /** Socket families it may use; nothing but unix sockets if not given. The network namespace is empty all the same. */
  readonly socketFamilies?: readonly ('unix' | 'inet' | 'inet6' | 'netlink')[]
  /** False: sockets of datagrams and raw packets are refused in every family. */
  readonly datagrams?: boolean
  /** All calls it may make, where there is such a list; otherwise all that no rule refuses. */
  readonly only?: SystemCalls
}

/** System calls by name, with their numbers on x86_64 and aarch64. */
export type SystemCalls = Readonly<Record<string, readonly [number | undefined, number | undefined]>>

/** A script of ours that is started ahead in the sandbox and answers calls. */
export interface Runner {
  /** Node runs `.mjs`, Python runs `.py`. Files of the same kind beside it come along. */
  readonly script: URL
  /** Whether an instance serves one owner for many calls, or one call only: what a page did to a browser dies with it. */
  readonly serves: 'owner' | 'one call'
  /** The most memory an instance holds while it waits: one that holds more is replaced. */
  readonly keepBytes: number
  /** Whether to run it once as `script prepare` first: what that leaves in its folder, all instances can read. */
  readonly prepare?: boolean
  /** Memory until it can serve; each call sets limits of its own. */
  readonly startBytes?: number
}

/** What runs the steps of plans: programs of the engine root with one profile, or a runner. */
export interface Tool {
  /** As the steps of plans name it. */
  readonly name: string
  /** The family it is installed with. */
  readonly family: EngineFamily
  /** The program, or the folder of a library, without which it does nothing, as a path below the engine root; not given: it is in every root. */
  readonly program?: string
  /** Whether it cannot start without a /proc of its own. */
  readonly needsProc?: boolean
  readonly profile: ToolProfile
  readonly runner?: Runner
}

export const MiB = 1024 ** 2
export const GiB = 1024 ** 3

// Libraries and fonts are found through these; the rest of /etc is no tool's business.
const etc = ['etc/alternatives', 'etc/fonts', 'etc/group', 'etc/ld.so.cache', 'etc/passwd']
// Without it every process that draws text scans all fonts first.
const fontCache = 'var/cache/fontconfig'

/** A program of the root that needs nothing special: what a step without a profile gets. */
export const plainProfile: ToolProfile = {
  parts: [...etc, fontCache, 'opt/lathe/bin'],
  hides: [],
  processes: 64,
  memoryBytes: 4 * GiB,
  tmpBytes: 256 * MiB,
  cpus: 4,
  seccomp: {},
}

/** The profile of most tools. PostScript is a program: no tool but its own may find who would run it. */
export const usualProfile: ToolProfile = { ...plainProfile, hides: ['usr/bin/gs'] }
