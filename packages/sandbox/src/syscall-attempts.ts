import { type Condition, type Errno, errnos, type SeccompRule } from './seccomp/compile-seccomp.ts'
import { type Architecture, lastKnownCall, syscallNumber } from './seccomp/syscalls.ts'

/** A system call to make inside, with arguments that the filter must refuse, and the expected error. */
export interface SyscallAttempt {
  readonly name: string
  readonly number: number
  readonly args: readonly number[]
  readonly errno: (typeof errnos)[Errno]
}

/** One attempt for every reason that a filter has to refuse: tests the compiled filter on the running kernel. */
export function syscallAttempts(
  rules: readonly SeccompRule[],
  architecture: Architecture,
  only?: readonly number[],
): readonly SyscallAttempt[] {
  const named = rules.flatMap((rule) => attemptsOf(rule, architecture))
  return only ? [...named, ...unlisted([...only, ...named.map(({ number }) => number)])] : named
}

function attemptsOf(rule: SeccompRule, architecture: Architecture): readonly SyscallAttempt[] {
  const number = syscallNumber(rule.call, architecture)
  if (number === undefined) return []
  const errno = errnos[rule.errno]
  const conditions = [...(rule.when ? [rule.when] : []), ...(rule.or ?? [])]
  if (conditions.length === 0) return [{ name: rule.call, number, args: argumentsFor(conditions), errno }]
  return conditions.map((_, n) => {
    const name = n === 0 ? rule.call : `${rule.call}-${n}`
    return { name, number, args: argumentsFor(conditions, n), errno }
  })
}

// uretprobe and uprobe of x86_64: later kernels do not pass them to filters, and kill callers that are not in a probe.
const probes = [335, 336]

/** Every call that is on no list, to show that none of them gets through. */
function unlisted(known: readonly number[]): readonly SyscallAttempt[] {
  const all = Array.from({ length: lastKnownCall + 1 }, (_, number) => number)
  const strange = all.filter((number) => !known.includes(number) && !probes.includes(number))
  return strange.map((number) => ({ name: `call-${number}`, number, args: noArguments, errno: errnos.ENOSYS }))
}

// A value on none of the allow lists: AF_NETLINK, a protocol that is not TCP, no Linux personality. Pointers stay null.
const onNoList = 0x10
const noArguments = [0, 0, 0, 0, 0, 0]

/** Arguments for which one condition holds and no other does, so that only this one can refuse the call. */
function argumentsFor(conditions: readonly Condition[], holds?: number): readonly number[] {
  const args = [...noArguments]
  for (const [n, condition] of conditions.entries()) {
    args[condition.argument] = n === holds ? refusedBy(condition) : passedBy(condition)
  }
  return args
}

function refusedBy(condition: Condition): number {
  if ('anyBitOf' in condition) return condition.anyBitOf
  return 'oneOf' in condition ? (condition.oneOf[0] ?? 0) : onNoList
}

function passedBy(condition: Condition): number {
  return 'noneOf' in condition ? (condition.noneOf[0] ?? 0) : 0
}
