interface Rule {
  readonly names: readonly string[]
  readonly action: string
  /** Podman's word for a number that follows; Docker does not know it. */
  readonly errno?: string
}

/** A profile as container engines read it; what is not named here is kept as it is. */
export interface SeccompProfile {
  readonly defaultAction: string
  readonly defaultErrno?: string
  readonly syscalls: readonly Rule[]
}

/**
 * What bubblewrap needs to build a sandbox without capabilities, beyond what container engines allow. Each was shown to be
 * needed by leaving it out. Inside the sandbox an engine's own filter refuses them again.
 */
const neededCalls = ['clone', 'unshare', 'mount', 'umount2', 'pivot_root', 'sethostname']

/** The engine's default profile with these calls allowed whatever capabilities the container has. */
export function toWorkerProfile({ defaultErrno: _, syscalls, ...rest }: SeccompProfile): SeccompProfile {
  const others = syscalls.map(({ errno: _errno, names, ...rule }) => ({
    ...rule,
    names: names.filter((name) => !neededCalls.includes(name)),
  }))
  return {
    ...rest,
    syscalls: [...others.filter(({ names }) => names.length > 0), { names: neededCalls, action: 'SCMP_ACT_ALLOW' }],
  }
}
