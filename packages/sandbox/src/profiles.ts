import type { SeccompVariation } from './seccomp/policy.ts'

/** What one engine sees and may use. Data only; the evil engine is run in every profile before a worker serves. */
export interface EngineProfile {
  readonly name: string
  /** What it sees of the engine root beside /usr, as paths below it; what a root does not have is left out. */
  readonly parts: readonly string[]
  /** Programs it must not find, as paths below the root: other engines' that it would hand files to. */
  readonly hides: readonly string[]
  /** Processes and threads. */
  readonly processes: number
  /** The most memory any of its steps may ask for. */
  readonly memoryBytes: number
  /** Size of its /tmp, which counts as memory. */
  readonly tmpBytes: number
  /** Cores it may keep busy, all its processes together. */
  readonly cpus: number
  readonly seccomp: SeccompVariation
}

const MiB = 1024 ** 2
const GiB = 1024 ** 3

// Libraries and fonts are found through these; the rest of /etc is no engine's business.
const etc = ['etc/alternatives', 'etc/fonts', 'etc/group', 'etc/ld.so.cache', 'etc/passwd']
// Without it every process that draws text scans all fonts first.
const fontCache = 'var/cache/fontconfig'

/** A program of the root that needs nothing special: what a step without a profile gets. */
const plain: EngineProfile = {
  name: 'plain',
  parts: [...etc, fontCache, 'opt/lathe/bin'],
  hides: [],
  processes: 64,
  memoryBytes: 4 * GiB,
  tmpBytes: 256 * MiB,
  cpus: 4,
  seccomp: {},
}

/** The picture runner: Node with sharp and pdf-lib. */
const vips: EngineProfile = {
  name: 'vips',
  parts: [...etc, fontCache, 'opt/lathe/bin', 'opt/lathe/node_modules'],
  hides: [],
  processes: 64,
  memoryBytes: GiB,
  tmpBytes: 256 * MiB,
  cpus: 4,
  seccomp: {},
}

/** Every profile there is. */
export const profiles = { plain, vips } as const satisfies Record<string, EngineProfile>

export type ProfileName = keyof typeof profiles
