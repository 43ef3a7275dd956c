/** One way to run a worker in a container, and the expected result. */
export interface Row {
  readonly name: string
  readonly options: readonly string[]
  readonly seccomp: 'docker' | 'shipped' | 'podman' | 'none'
  /**
   * The sandbox level that the worker must reach, or `refused` if it must not start because isolation cannot be proven.
   */
  readonly expected: { readonly level: number; readonly hasProc: boolean } | 'refused'
}

const user = ['--user', '1000:1000', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
const unmasked = ['--security-opt', 'unmask=ALL']
const userNamespace = ['--uidmap', '0:100000:65536', '--gidmap', '0:100000:65536']
const cgroups = ['--cgroupns', 'host', '--volume', '/sys/fs/cgroup:/sys/fs/cgroup']
const sixCaps = ['SETUID', 'SETGID', 'SETPCAP', 'KILL', 'CHOWN', 'DAC_OVERRIDE']
const rootOfSix = ['--cap-drop', 'ALL', ...sixCaps.flatMap((cap) => ['--cap-add', cap])]

const whole = { level: 2, hasProc: true } as const
const withoutProc = { level: 2, hasProc: false } as const

/** The matrix: combinations of user, seccomp profile, masked paths and user namespaces that occur in practice. */
export const rows: readonly Row[] = [
  { name: 'Docker defaults, root', options: [], seccomp: 'docker', expected: 'refused' },
  { name: 'Docker defaults, uid 1000, no capabilities', options: user, seccomp: 'docker', expected: 'refused' },
  {
    name: 'Docker seccomp with SYS_ADMIN',
    options: ['--cap-add', 'SYS_ADMIN'],
    seccomp: 'docker',
    expected: 'refused',
  },
  {
    name: 'user namespace with SYS_ADMIN, Docker seccomp',
    options: [...userNamespace, '--cap-add', 'SYS_ADMIN'],
    seccomp: 'docker',
    expected: 'refused',
  },
  { name: 'uid 1000, no seccomp, masked /proc', options: user, seccomp: 'none', expected: withoutProc },
  { name: 'uid 1000, our seccomp, masked /proc', options: user, seccomp: 'shipped', expected: withoutProc },
  {
    name: 'uid 1000, our seccomp, unmasked /proc',
    options: [...user, ...unmasked],
    seccomp: 'shipped',
    expected: whole,
  },
  { name: 'root, our seccomp, unmasked /proc', options: unmasked, seccomp: 'shipped', expected: whole },
  {
    // The sandbox has everything, but the worker itself could write core_pattern: this must not count as level 3.
    name: 'root with six capabilities and cgroups, unmasked /proc',
    options: [...rootOfSix, ...cgroups, ...unmasked, '--security-opt', 'no-new-privileges'],
    seccomp: 'shipped',
    expected: whole,
  },
  { name: 'user namespace, masked /proc', options: userNamespace, seccomp: 'shipped', expected: withoutProc },
  {
    name: 'user namespace, uid 1000, unmasked /proc',
    options: [...userNamespace, ...user, ...unmasked],
    seccomp: 'shipped',
    expected: whole,
  },
  { name: 'Podman defaults', options: [], seccomp: 'podman', expected: withoutProc },
  { name: 'Podman, uid 1000, unmasked /proc', options: [...user, ...unmasked], seccomp: 'podman', expected: whole },
  {
    name: 'Podman, uid 1000, unmasked /proc, 1,000 processes',
    options: [...user, ...unmasked, '--ulimit', 'nproc=1000:1000'],
    seccomp: 'podman',
    expected: whole,
  },
]
