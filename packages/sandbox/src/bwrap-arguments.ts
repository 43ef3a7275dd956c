import type { EngineProfile } from './profiles.ts'

/** Everything that defines one sandbox. */
export interface Enclosure {
  /** The engine root, without symlinks in its path. */
  readonly engineRoot: string
  readonly profile: Pick<EngineProfile, 'parts' | 'hides' | 'env'>
  /** The host folder that becomes /job: the only writable folder that outlives the sandbox. */
  readonly folder: string
  /**
   * Whether the program waits for its arguments: before its main function (`linked`), or by itself (`loaded`). The
   * job folder is then moved into `folder` under the name `waitingJob`.
   */
  readonly waits?: 'linked' | 'loaded'
  /** A folder of scripts that becomes /opt/lathe/runners. */
  readonly runners?: string
  readonly tmpBytes: number
  /** False where the host masks /proc, as container engines do. The sandbox then has no /proc. */
  readonly privateProc: boolean
  /** False where the host does not allow the sandbox its own hostname. The sandbox then sees the worker's. */
  readonly ownHostname: boolean
  /** The descriptor on which bwrap reports the sandbox's first process. */
  readonly infoFd: number
  /** The descriptor of a compiled seccomp filter. */
  readonly seccompFd: number
  readonly command: readonly string[]
}

/** The whole environment of an engine. The worker's own environment is not passed on. */
export const enclosedEnv = {
  PATH: '/usr/bin:/opt/lathe/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
} as const

/** The uid of an engine inside the sandbox: `nobody`. */
export const enclosedUid = 65_534

/** The name of a job's folder inside the folder of a waiting program. */
export const waitingJob = 'job'

/** The part of the engine root that makes programs wait, and the library in it. */
export const waitingPart = 'opt/lathe/lib'
export const waitingLibrary = `${waitingPart}/await-arguments.so`

const shmBytes = 64 * 1024 * 1024

/** The arguments that make bwrap build this enclosure and run the command in it. */
export function bwrapArguments(enclosure: Enclosure): readonly string[] {
  return [
    // --unshare-all alone goes on without a user namespace where they are forbidden. --unshare-user makes it an error.
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

// For this option bwrap writes a limit below /proc/sys, which is read-only where /proc is masked. The seccomp filter
// refuses every call that creates a user namespace in any case.
function noInnerUsers({ privateProc }: Enclosure): readonly string[] {
  return privateProc ? ['--disable-userns'] : []
}

function environment({ waits, profile }: Enclosure): readonly string[] {
  // The library removes LD_PRELOAD from the environment before the program runs.
  const all = { ...enclosedEnv, ...profile.env, ...(waits === 'linked' && { LD_PRELOAD: `/${waitingLibrary}` }) }
  return ['--clearenv', ...Object.entries(all).flatMap(([name, value]) => ['--setenv', name, value])]
}

// A running sandbox cannot get another mount, but a folder that is moved below one of its mounts becomes visible there.
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
    // /dev/null covers the program, so that it can be neither read nor run.
    ...profile.hides.flatMap((program) => ['--ro-bind', '/dev/null', `/${program}`]),
    ...(runners === undefined ? [] : ['--ro-bind', runners, '/opt/lathe/runners']),
  ]
}

// bwrap's own / and /dev are writable tmpfs mounts without a size limit. Both are made read-only once they are filled.
function systemMounts({ privateProc, tmpBytes }: Enclosure): readonly string[] {
  return [
    ...(privateProc ? ['--proc', '/proc'] : []),
    ...['--dev', '/dev', '--size', String(shmBytes), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', String(tmpBytes), '--tmpfs', '/tmp'],
  ]
}
