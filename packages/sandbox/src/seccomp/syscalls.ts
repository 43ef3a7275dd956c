/** The architectures a filter can be compiled for, by Node's names. */
export const architectures = ['x64', 'arm64'] as const
export type Architecture = (typeof architectures)[number]

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64 of linux/audit.h: the value that the kernel passes to a filter. */
export const auditArch = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const satisfies Record<Architecture, number>

/** The last system call known here (file_setattr, Linux 6.17). From 424 on all architectures use the same numbers. */
export const lastKnownCall = 469

/**
 * The numbers of the system calls a filter may name: x86_64 from asm/unistd_64.h, aarch64 from
 * asm-generic/unistd.h. Undefined where the architecture never had the call.
 */
const numbers = {
  socket: [41, 198],
  socketpair: [53, 199],
  sendto: [44, 206],
  recvfrom: [45, 207],
  sendmsg: [46, 211],
  recvmsg: [47, 212],
  sendmmsg: [307, 269],
  recvmmsg: [299, 243],
  ioctl: [16, 29],
  clone: [56, 220],
  clone3: [435, 435],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  move_mount: [429, 429],
  mount_setattr: [442, 442],
  statmount: [457, 457],
  listmount: [458, 458],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  userfaultfd: [323, 282],
  memfd_secret: [447, 447],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  create_module: [174, undefined],
  query_module: [178, undefined],
  get_kernel_syms: [177, undefined],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  lookup_dcookie: [212, 18],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  nfsservctl: [180, 42],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  modify_ldt: [154, undefined],
  uselib: [134, undefined],
  ustat: [136, undefined],
  sysfs: [139, undefined],
  _sysctl: [156, undefined],
  personality: [135, 92],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  get_mempolicy: [239, 236],
  set_mempolicy_home_node: [450, 450],
} as const satisfies Record<string, readonly [number, number | undefined]>

export type Syscall = keyof typeof numbers

/** Every system call that has a number here. */
export const syscalls = Object.keys(numbers) as readonly Syscall[]

/** A call's number, or undefined where the architecture has no such call. */
export function syscallNumber(call: Syscall, architecture: Architecture): number | undefined {
  return numbers[call][architectures.indexOf(architecture)]
}

/** Whether filters can be compiled for this architecture. */
export function isKnownArchitecture(name: string): name is Architecture {
  return (architectures as readonly string[]).includes(name)
}
