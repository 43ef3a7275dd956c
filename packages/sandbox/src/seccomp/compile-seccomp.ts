import { type Architecture, auditArch, lastKnownCall, type Syscall, syscallNumber } from './syscalls.ts'

/** The error of a refused call. ENOSYS, "no such call", makes programs fall back to an older call. */
export const errnos = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const
export type Errno = keyof typeof errnos

/** Refuses a call by the value of an argument. Only its low 32 bits are compared, as the kernel does for ints. */
export type Condition =
  | { readonly argument: number; readonly anyBitOf: number }
  | { readonly argument: number; readonly oneOf: readonly number[] }
  | { readonly argument: number; readonly noneOf: readonly number[] }

/** A system call that is refused, always or under a condition. */
export interface SeccompRule {
  readonly call: Syscall
  readonly errno: Errno
  readonly when?: Condition
  /** More reasons to refuse it, checked if the first does not apply. */
  readonly or?: readonly Condition[]
}

// Classic BPF, from linux/bpf_common.h: class, size and mode in one number.
const loadWord = 0x20
const jump = 0x05
const jumpIfEqual = 0x15
const jumpIfGreater = 0x25
const jumpIfAnyBit = 0x45
const giveBack = 0x06

// From linux/seccomp.h. The low 16 bits hold the error number.
const allow = 0x7fff_0000
const killProcess = 0x8000_0000
const fail = (errno: Errno) => 0x0005_0000 | errnos[errno]

// struct seccomp_data: int nr; u32 arch; u64 instruction_pointer; u64 args[6], all little-endian here.
const numberAt = 0
const architectureAt = 4
const argumentAt = (n: number) => 16 + 8 * n

interface Instruction {
  readonly code: number
  readonly whenTrue?: number
  readonly whenFalse?: number
  readonly k: number
}

/**
 * Compiles rules to the bytes that bwrap's --seccomp takes: an array of struct sock_filter. Calls that no rule names
 * are allowed. With `only`, a list of allowed numbers, calls that are not on the list fail with ENOSYS.
 *
 * A program of another architecture is killed: its calls have other numbers. Numbers beyond the last known call fail
 * with ENOSYS, which covers calls of later kernels and the x32 calls of x86_64, whose numbers begin at 0x40000000. The
 * kernel remembers which numbers are always allowed, so that a long list costs nothing.
 */
export function compileSeccomp(
  rules: readonly SeccompRule[],
  architecture: Architecture,
  only?: readonly number[],
): Uint8Array {
  const named = new Set(rules.map(({ call }) => call))
  if (named.size < rules.length) throw new Error('a system call has more than one rule')
  return toBytes([
    { code: loadWord, k: architectureAt },
    { code: jumpIfEqual, k: auditArch[architecture], whenTrue: 1 },
    { code: giveBack, k: killProcess },
    { code: loadWord, k: numberAt },
    { code: jumpIfGreater, k: lastKnownCall, whenFalse: 1 },
    { code: giveBack, k: fail('ENOSYS') },
    ...rules.flatMap((rule) => compileRule(rule, architecture)),
    ...(only ? compileOnly(only) : [pass]),
  ])
}

// Calls with conditions were decided before. Calls that are not on the list fail with ENOSYS.
function compileOnly(numbers: readonly number[]): readonly Instruction[] {
  const listed = numbers.flatMap((k) => [{ code: jumpIfEqual, k, whenFalse: 1 }, pass])
  return [...listed, { code: giveBack, k: fail('ENOSYS') }]
}

function compileRule({ call, errno, when, or }: SeccompRule, architecture: Architecture): readonly Instruction[] {
  const number = syscallNumber(call, architecture)
  if (number === undefined) return []
  const refuse = { code: giveBack, k: fail(errno) }
  const conditions = [...(when ? [when] : []), ...(or ?? [])]
  const last = conditions.length - 1
  const tests = conditions.map((condition, n) => compileCondition(condition, n < last ? overRefusal : pass))
  const body = when ? tests.flatMap((test) => [...test, refuse]) : [refuse]
  return [{ code: jumpIfEqual, k: number, whenFalse: body.length }, ...body]
}

// Allows the call at once: no other rule applies to it.
const pass: Instruction = { code: giveBack, k: allow }
const overRefusal: Instruction = { code: jump, k: 1 }

// Continues with the refusal if the condition holds, and with `otherwise` if not.
function compileCondition(when: Condition, otherwise: Instruction): readonly Instruction[] {
  const load = { code: loadWord, k: argumentAt(when.argument) }
  if ('anyBitOf' in when) return [load, { code: jumpIfAnyBit, k: when.anyBitOf, whenTrue: 1 }, otherwise]
  const left = (n: number) => ('oneOf' in when ? when.oneOf : when.noneOf).length - n
  // A listed value jumps over the rest and over the pass. If the list names allowed values, it jumps to the pass.
  if ('oneOf' in when)
    return [load, ...when.oneOf.map((k, n) => ({ code: jumpIfEqual, k, whenTrue: left(n) })), otherwise]
  // An empty list allows nothing.
  if (when.noneOf.length === 0) return []
  const toPass = when.noneOf.map((k, n) => ({
    code: jumpIfEqual,
    k,
    whenTrue: left(n) - 1,
    whenFalse: left(n) === 1 ? 1 : 0,
  }))
  return [load, ...toPass, otherwise]
}

// struct sock_filter: u16 code; u8 jt; u8 jf; u32 k.
function toBytes(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [n, { code, whenTrue = 0, whenFalse = 0, k }] of program.entries()) {
    view.setUint16(n * 8, code, true)
    view.setUint8(n * 8 + 2, whenTrue)
    view.setUint8(n * 8 + 3, whenFalse)
    view.setUint32(n * 8 + 4, k, true)
  }
  return bytes
}
