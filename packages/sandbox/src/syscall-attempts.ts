import { type Condition, type Errno, errnos, type SeccompRule } from './seccomp/compile-seccomp.ts'
import { type Architecture, syscallNumber } from './seccomp/syscalls.ts'

/** A system call to be made inside, with arguments that the filter must refuse, and the error it must give. */
export interface SyscallAttempt {
  readonly name: string
  readonly number: number
  readonly args: readonly number[]
  readonly errno: (typeof errnos)[Errno]
}

/** One attempt for every reason a filter has to refuse: what is compiled is tried on the kernel at hand, call by call. */
export function syscallAttempts(rules: readonly SeccompRule[], architecture: Architecture): readonly SyscallAttempt[] {
  return rules.flatMap((rule) => {
    const number = syscallNumber(rule.call, architecture)
    if (number === undefined) return []
    const errno = errnos[rule.errno]
    const first = { name: rule.call, number, args: argumentsFor(rule.when), errno }
    return rule.or
      ? [first, { name: `${rule.call}-or`, number, args: argumentsFor(rule.or, rule.when), errno }]
      : [first]
  })
}

// AF_NETLINK and no personality of Linux: values on no list of what is allowed. Pointers stay null.
const onNoList = 0x10

function argumentsFor(when: Condition | undefined, passed?: Condition): readonly number[] {
  const args = [0, 0, 0, 0, 0, 0]
  // The first reason must not be why the second is refused.
  if (passed && 'noneOf' in passed) args[passed.argument] = passed.noneOf[0] ?? 0
  if (!when) return args
  args[when.argument] = 'anyBitOf' in when ? when.anyBitOf : 'oneOf' in when ? (when.oneOf[0] ?? 0) : onNoList
  return args
}
