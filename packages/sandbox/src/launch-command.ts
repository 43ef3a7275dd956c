import type { HardLimits } from './hard-limits.ts'

/** How a program is started from the worker into its sandbox. */
export interface Launch {
  /** The `cgroup.procs` files to enter first. */
  readonly joins: readonly string[]
  /** Descriptors of the worker that must not be inherited. */
  readonly closes: readonly number[]
  /** The user to become; undefined when the worker is not root and keeps its user. */
  readonly identity: { readonly uid: number; readonly gid: number } | undefined
  /** The worker's own hard limits. */
  readonly hardLimits: HardLimits
  /** The largest file a process may write. */
  readonly fileBytes: number
  /** The most memory a process may write to: a backstop behind the cgroup, which counts all processes together. */
  readonly dataBytes: number
  /** The program that builds the sandbox: bwrap, or another program that takes its arguments. */
  readonly builder: string
  readonly bwrap: readonly string[]
}

export interface Command {
  readonly program: string
  readonly args: readonly string[]
}

/** The programs of the host that a launch needs. The paths are absolute, since a launch has no PATH. */
export const programs = {
  sh: '/bin/sh',
  bash: '/bin/bash',
  env: '/usr/bin/env',
  bwrap: '/usr/bin/bwrap',
  setpriv: '/usr/bin/setpriv',
  prlimit: '/usr/bin/prlimit',
  unshare: '/usr/bin/unshare',
} as const

// Paths are passed as positional parameters, so that the shell never interprets their characters.
const joinThenExec =
  'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1" || exit 125; shift; n=$((n-1)); done; exec "$@"'

const lockedBytes = 65_536

// Counted over all sandboxes of the uid, so only a backstop: the pids cgroup is the limit.
const processesOfUid = 8192

/** The command line: enter the cgroup while permitted, drop privileges, set limits, build the sandbox. */
export function launchCommand(launch: Launch): Command {
  const { joins, closes, identity, builder, bwrap } = launch
  const chain = [...dropTo(identity), ...limitTo(launch), builder, ...bwrap]
  const close = closes.map((descriptor) => `exec ${descriptor}>&-; `).join('')
  // Only bash can close descriptors with more than one digit. sh starts faster.
  const needsBash = closes.some((descriptor) => descriptor > 9)
  const program = needsBash ? programs.bash : programs.sh
  // bash adds variables to the environment, and engines can read that of the process that built their sandbox.
  const inner = needsBash ? [programs.env, '-i', ...chain] : chain
  // bash mistakes a worker's pipe for a remote login and would first run its user's .bashrc.
  const manners = needsBash ? ['--norc'] : []
  return {
    program,
    args: [...manners, '-c', `${close}${joinThenExec}`, 'sandbox', String(joins.length), ...joins, ...inner],
  }
}

// Privileges are dropped before bwrap: if root runs bwrap, it maps its "nobody" to the host's real root.
export function dropTo(identity: Launch['identity']): readonly string[] {
  if (!identity) return [programs.setpriv, '--no-new-privs']
  const { uid, gid } = identity
  return [
    programs.setpriv,
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--bounding-set=-all',
    '--no-new-privs',
  ]
}

/** Files an engine may have open at once. */
export const openFiles = 1024

// A limit above the hard limit is refused, and nothing would start. Containers often have lower hard limits.
function limitTo({ hardLimits, fileBytes, dataBytes }: Launch): readonly string[] {
  const wanted = {
    core: 0,
    nofile: openFiles,
    memlock: lockedBytes,
    fsize: fileBytes,
    data: dataBytes,
    nproc: processesOfUid,
  }
  const limits = Object.entries(wanted).map(([name, value]) => {
    const limit = Math.min(value, hardLimits[name as keyof typeof wanted] ?? value)
    return `--${name}=${limit}:${limit}`
  })
  return [programs.prlimit, ...limits]
}
