import type { EngineProfile } from './profiles.ts'

/** What one sandbox is made of. */
export interface Enclosure {
  /** The engine root, without symlinks in its path. */
  readonly engineRoot: string
  readonly profile: Pick<EngineProfile, 'parts' | 'hides' | 'env'>
  /** The folder of the host that becomes /job, the only place that can be written to and outlives the sandbox. */
  readonly folder: string
  /**
   * Whether the program waits for its arguments: before its main function, or by itself. `folder` will then hold the job's
   * folder by the name of `waitingJob`.
   */
  readonly waits?: 'linked' | 'loaded'
  /** A folder of scripts that becomes /opt/lathe/runners. */
  readonly runners?: string
  readonly tmpBytes: number
  /** False where the host masks /proc, as container engines do: then there is none inside. */
  readonly privateProc: boolean
  /** False where the host does not let it have a name of its own; it then sees the worker's. */
  readonly ownHostname: boolean
  /** The descriptor bwrap reports the sandbox's first process on. */
  readonly infoFd: number
  /** The descriptor of a compiled seccomp filter. */
  readonly seccompFd: number
  readonly command: readonly string[]
}

/** All an engine learns of its surroundings; the worker's own environment is not passed on. */
export const enclosedEnv = {
  PATH: '/usr/bin:/opt/lathe/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
} as const

/** Who an engine is inside: nobody. */
export const enclosedUid = 65_534

/** What a job's folder is called in the folder that a waiting program was given. */
export const waitingJob = 'job'

/** The part of the engine root that makes programs wait, and the library in it. */
export const waitingPart = 'opt/lathe/lib'
export const waitingLibrary = `${waitingPart}/await-arguments.so`

const shmBytes = 64 * 1024 * 1024

/** The arguments that make bwrap build this enclosure and run the command in it. */
export function bwrapArguments(enclosure: Enclosure): readonly string[] {
  return [
    // --unshare-all alone goes on without a user namespace where they are forbidden; --unshare-user makes that an error.
    ...['--unshare-user', '--unshare-all', ...noInnerUsers(enclosure)],
    // A new session keeps the engine from typing into the worker's terminal (CVE-2017-5226).
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--uid', String(enclosedUid), '--gid', String(enclosedUid)],
    ...(enclosure.ownHostname ? ['--hostname', 'lathe'] : []),
    ...environment(enclosure),
    ...engineRootMounts(enclosure),
    ...systemMounts(enclosure),
    ...jobMounts(enclosure),
    ...['--remount-ro', '/', '--chdir', enclosure.waits ? '/' : '/job'],
    ...['--seccomp', String(enclosure.seccompFd)],
    ...['--info-fd', String(enclosure.infoFd), '--', ...enclosure.command],
  ]
}

// bwrap writes a limit below /proc/sys for this, which is read-only wherever /proc is masked. The filter refuses every
// call that makes a user namespace in any case.
function noInnerUsers({ privateProc }: Enclosure): readonly string[] {
  return privateProc ? ['--disable-userns'] : []
}

function environment({ waits, profile }: Enclosure): readonly string[] {
  // The library takes its own name away again before the program runs.
  const all = { ...enclosedEnv, ...profile.env, ...(waits === 'linked' && { LD_PRELOAD: `/${waitingLibrary}` }) }
  return ['--clearenv', ...Object.entries(all).flatMap(([name, value]) => ['--setenv', name, value])]
}

// A sandbox that stands cannot be given another mount, but a folder that is moved below one of its mounts is seen there.
function jobMounts({ engineRoot, folder, waits }: Enclosure): readonly string[] {
  if (!waits) return ['--bind', folder, '/job']
  const library = ['--ro-bind', `${engineRoot}/${waitingPart}`, `/${waitingPart}`]
  return [...library, '--bind', folder, '/jobs', '--symlink', `jobs/${waitingJob}`, '/job']
}

function engineRootMounts({ engineRoot, profile, runners }: Enclosure): readonly string[] {
  const links = ['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`])
  return [
    ...['--ro-bind', `${engineRoot}/usr`, '/usr', ...links],
    ...profile.parts.flatMap((part) => ['--ro-bind-try', `${engineRoot}/${part}`, `/${part}`]),
    // Covered by a device that can be neither read as a program nor run.
    ...profile.hides.flatMap((program) => ['--ro-bind', '/dev/null', `/${program}`]),
    ...(runners === undefined ? [] : ['--ro-bind', runners, '/opt/lathe/runners']),
  ]
}

// bwrap's own / and /dev are writable memory without a size; both are closed once they are filled.
function systemMounts({ privateProc, tmpBytes }: Enclosure): readonly string[] {
  return [
    ...(privateProc ? ['--proc', '/proc'] : []),
    ...['--dev', '/dev', '--size', String(shmBytes), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', String(tmpBytes), '--tmpfs', '/tmp'],
  ]
}
