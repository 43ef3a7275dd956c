interface Rule {
  readonly names: readonly string[]
  readonly action: string
  /** Podman's name for the error number; Docker does not know this field. */
  readonly errno?: string
}

/** A profile in the format of container engines; fields not listed here are kept. */
export interface SeccompProfile {
  readonly defaultAction: string
  readonly defaultErrno?: string
  readonly syscalls: readonly Rule[]
}

/**
 * The system calls that bubblewrap needs to build a sandbox without capabilities, in addition to those that container
 * engines allow. Each one is needed: the sandbox fails without it. Inside the sandbox, the engine's own filter refuses
 * them again.
 */
const neededCalls = ['clone', 'unshare', 'mount', 'umount2', 'pivot_root', 'sethostname']

/** The default profile of the container engine with these calls allowed regardless of capabilities. */
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
