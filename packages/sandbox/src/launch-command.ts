/** How a program gets from the worker into its sandbox. */
export interface Launch {
  /** The `cgroup.procs` files to enter first. */
  readonly joins: readonly string[]
  /** Who to become; undefined when the worker is not root and stays who it is. */
  readonly identity: { readonly uid: number; readonly gid: number } | undefined
  readonly fileBytes: number
  readonly bwrap: readonly string[]
}

export interface Command {
  readonly program: string
  readonly args: readonly string[]
}

/** Where the host keeps what a launch needs: named in full, since a launch has no PATH. */
export const programs = {
  sh: '/bin/sh',
  bwrap: '/usr/bin/bwrap',
  setpriv: '/usr/bin/setpriv',
  prlimit: '/usr/bin/prlimit',
} as const

// Paths come as positional parameters, so that no character of theirs is ever read as shell.
const joinThenExec =
  'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1" || exit 125; shift; n=$((n-1)); done; exec "$@"'

// Counted over all sandboxes of the uid, so only a backstop: the pids cgroup is the limit.
const processesOfUid = 8192

/** The command line: enter the cgroup while still able to, drop privileges, set limits, build the sandbox. */
export function launchCommand({ joins, identity, fileBytes, bwrap }: Launch): Command {
  const inner = [...dropTo(identity), ...limitTo(fileBytes), programs.bwrap, ...bwrap]
  return { program: programs.sh, args: ['-c', joinThenExec, 'sandbox', String(joins.length), ...joins, ...inner] }
}

// Dropping before bwrap matters: bwrap run by root maps its "nobody" to the host's real root.
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

function limitTo(fileBytes: number): readonly string[] {
  return [
    ...[programs.prlimit, '--core=0:0', '--nofile=1024:1024', '--memlock=65536:65536'],
    ...[`--fsize=${fileBytes}:${fileBytes}`, `--nproc=${processesOfUid}:${processesOfUid}`],
  ]
}
