import type { SystemCallRules } from '@lathe/engines'
import type { SeccompRule } from './compile-seccomp.ts'
import { type Architecture, architectures, type Syscall } from './syscalls.ts'

/** How a filter differs from the default. */
export interface SeccompVariation extends SystemCallRules {
  /** Calls that are allowed here. Write the reason next to each of them. */
  readonly allows?: readonly Syscall[]
}

const families = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const

// SOCK_DGRAM is 2 and SOCK_RAW 3; SOCK_STREAM is 1, SOCK_SEQPACKET 5, and the flags are high bits.
const datagramBit = 2

// The default protocol of a family, and TCP. SCTP and MPTCP, which are streams too, have other numbers.
const streamProtocols = [0, 6]

// MSG_OOB: a rarely used feature of sockets that allowed escapes from other sandboxes (CVE-2025-38236).
const outOfBand = 1

// CLONE_NEW* of linux/sched.h: ns, cgroup, uts, ipc, user, pid, net.
const namespaceFlags = 0x7e02_0000

// TIOCSTI types into a terminal, TIOCLINUX reaches a virtual console's clipboard, and TIOCSETD sets line disciplines,
// whose modules had many flaws.
const ttyRequests = [0x5412, 0x541c, 0x5423]

// PER_LINUX, and the query for the current personality. Others turn address randomization off.
const plainPersonalities = [0, 0xffff_ffff]

/** Refused with EPERM: no program falls back from these. */
const forbidden: readonly Syscall[] = [
  // Other views of the file system, and other namespaces.
  ...(['mount', 'umount2', 'pivot_root', 'chroot', 'unshare', 'setns'] as const),
  ...(['fsopen', 'fsconfig', 'fsmount', 'fspick', 'open_tree', 'open_tree_attr', 'move_mount'] as const),
  ...(['mount_setattr', 'statmount', 'listmount'] as const),
  // Other processes.
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise', 'process_mrelease'] as const),
  ...(['pidfd_getfd', 'kcmp'] as const),
  // Keys are not kept apart by namespaces; handles open files past the mounts.
  ...(['add_key', 'request_key', 'keyctl', 'name_to_handle_at', 'open_by_handle_at', 'fanotify_init'] as const),
  // The parts of the kernel that most escapes used.
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'lookup_dcookie', 'modify_ldt'] as const),
  // The machine itself.
  ...(['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'] as const),
  ...(['create_module', 'query_module', 'get_kernel_syms', 'swapon', 'swapoff', 'reboot', 'syslog'] as const),
  ...(['settimeofday', 'clock_settime', 'clock_adjtime', 'adjtimex', 'sethostname', 'setdomainname'] as const),
  ...(['acct', 'quotactl', 'quotactl_fd', 'nfsservctl', 'vhangup', 'iopl', 'ioperm'] as const),
  ...(['uselib', 'ustat', 'sysfs', '_sysctl'] as const),
  ...(['move_pages', 'migrate_pages', 'mbind', 'set_mempolicy', 'set_mempolicy_home_node'] as const),
]

/** Refused with ENOSYS, as if the kernel were too old: libraries then work without them. */
const unknown: readonly Syscall[] = [
  // Its flags are in memory, which a filter cannot read. The C library falls back to clone.
  'clone3',
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'memfd_secret', 'get_mempolicy'] as const),
]

/** The rules of one engine's filter. */
export function seccompRules({
  socketFamilies = ['unix'],
  datagrams = true,
  allows = [],
}: SeccompVariation = {}): readonly SeccompRule[] {
  const noneOf = socketFamilies.map((name) => families[name])
  const streams = [
    { argument: 1, anyBitOf: datagramBit },
    { argument: 2, noneOf: streamProtocols },
  ]
  const noDatagrams = datagrams ? {} : { or: streams }
  const rules: readonly SeccompRule[] = [
    { call: 'socket', errno: 'EAFNOSUPPORT', when: { argument: 0, noneOf }, ...noDatagrams },
    { call: 'socketpair', errno: 'EAFNOSUPPORT', when: { argument: 0, noneOf: [families.unix] } },
    ...(['sendto', 'recvfrom', 'sendmmsg', 'recvmmsg'] as const).map((call) => noOutOfBand(call, 3)),
    ...(['sendmsg', 'recvmsg'] as const).map((call) => noOutOfBand(call, 2)),
    { call: 'clone', errno: 'EPERM', when: { argument: 0, anyBitOf: namespaceFlags } },
    { call: 'ioctl', errno: 'EPERM', when: { argument: 1, oneOf: ttyRequests } },
    { call: 'personality', errno: 'EPERM', when: { argument: 0, noneOf: plainPersonalities } },
    ...forbidden.map((call) => ({ call, errno: 'EPERM' }) as const),
    ...unknown.map((call) => ({ call, errno: 'ENOSYS' }) as const),
  ]
  return rules.filter(({ call }) => !allows.includes(call))
}

function noOutOfBand(call: Syscall, argument: number): SeccompRule {
  return { call, errno: 'EPERM', when: { argument, anyBitOf: outOfBand } }
}

/** The numbers of all calls that are allowed in addition to those with conditions; undefined without such a list. */
export function onlyNumbers({ only }: SeccompVariation, architecture: Architecture): readonly number[] | undefined {
  if (only === undefined) return undefined
  return Object.values(only).flatMap((numbers) => numbers[architectures.indexOf(architecture)] ?? [])
}
