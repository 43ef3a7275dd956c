import { describe, expect, it } from 'vitest'
import { runBpf } from '../../test/run-bpf.ts'
import { profileOf } from '../profiles.ts'
import { compileSeccomp, errnos } from './compile-seccomp.ts'
import { onlyNumbers, seccompRules } from './policy.ts'
import { type Architecture, architectures, auditArch, lastKnownCall, syscallNumber, syscalls } from './syscalls.ts'

const allowed = 0x7fff_0000
const killed = 0x8000_0000
const refused = (errno: keyof typeof errnos) => 0x0005_0000 | errnos[errno]

// Calls that engines need, with the numbers of both architectures: none of them may be refused by accident.
const needed: Readonly<Record<string, readonly [number, number]>> = {
  read: [0, 63],
  write: [1, 64],
  openat: [257, 56],
  close: [3, 57],
  mmap: [9, 222],
  mprotect: [10, 226],
  futex: [202, 98],
  execve: [59, 221],
  wait4: [61, 260],
  exit_group: [231, 94],
  epoll_pwait: [281, 22],
  eventfd2: [290, 19],
  connect: [42, 203],
  prctl: [157, 167],
  seccomp: [317, 277],
  getrandom: [318, 278],
  memfd_create: [319, 279],
  statx: [332, 291],
  rseq: [334, 293],
  kill: [62, 129],
}

describe.each(architectures)('the filter for %s', (architecture: Architecture) => {
  const filter = compileSeccomp(seccompRules(), architecture)
  const arch = auditArch[architecture]
  const ask = (number: number, ...args: readonly bigint[]) =>
    runBpf(filter, { number, architecture: arch, arguments: args })
  const askFor = (call: Parameters<typeof syscallNumber>[0], ...args: readonly bigint[]) =>
    ask(syscallNumber(call, architecture) ?? -1, ...args)

  it('allows the calls that engines need', () => {
    const column = architectures.indexOf(architecture)
    const answers = Object.values(needed).map((numbers) => ask(numbers[column] ?? -1))
    expect(new Set(answers)).toEqual(new Set([allowed]))
  })

  it('refuses every call it has a rule for, and no other', () => {
    const rules = new Map(seccompRules().flatMap((rule) => [[syscallNumber(rule.call, architecture), rule] as const]))
    for (let number = 0; number <= lastKnownCall; number += 1) {
      const rule = rules.get(number)
      if (rule?.when) continue
      expect([number, ask(number)]).toEqual([number, rule ? refused(rule.errno) : allowed])
    }
  })

  it('has a rule for every call that is numbered', () => {
    const named = new Set(seccompRules().map(({ call }) => call))
    expect(syscalls.filter((call) => !named.has(call))).toEqual([])
  })

  it('kills a program of another architecture, whatever it calls', () => {
    const others = [0x4000_0003, 0x4000_0028, ...Object.values(auditArch).filter((other) => other !== arch)]
    for (const other of others) expect(runBpf(filter, { number: 0, architecture: other })).toBe(killed)
  })

  it('knows no x32 calls and none of a later kernel', () => {
    for (const number of [0x4000_0000, 0x4000_0000 + 59, 512, 547, lastKnownCall + 1, -1]) {
      expect(ask(number)).toBe(refused('ENOSYS'))
    }
    expect(ask(lastKnownCall)).toBe(allowed)
  })

  it('lets processes and threads be made, but no namespace', () => {
    const thread = 0x3d_0f00n
    for (const flags of [0x11n, thread, 0x4111n]) expect(askFor('clone', flags)).toBe(allowed)
    for (const flag of [0x2_0000n, 0x200_0000n, 0x400_0000n, 0x800_0000n, 0x1000_0000n, 0x2000_0000n, 0x4000_0000n]) {
      expect(askFor('clone', flag | 0x11n)).toBe(refused('EPERM'))
      expect(askFor('clone', flag | thread)).toBe(refused('EPERM'))
    }
    expect(askFor('clone3')).toBe(refused('ENOSYS'))
  })

  it('lets unix sockets be made, and no others', () => {
    for (const call of ['socket', 'socketpair'] as const) {
      expect(askFor(call, 1n)).toBe(allowed)
      for (let family = 0n; family < 50n; family += 1n) {
        if (family !== 1n) expect(askFor(call, family)).toBe(refused('EAFNOSUPPORT'))
      }
    }
  })

  it('refuses to type into terminals, also with bits the kernel does not look at', () => {
    for (const request of [0x5412n, 0x541cn, 0x5423n]) {
      expect(askFor('ioctl', 0n, request)).toBe(refused('EPERM'))
      expect(askFor('ioctl', 0n, request | (1n << 32n))).toBe(refused('EPERM'))
    }
    // TCGETS, TIOCGWINSZ and FIONREAD.
    for (const request of [0x5401n, 0x5413n, 0x541bn]) expect(askFor('ioctl', 0n, request)).toBe(allowed)
  })

  it('refuses other personalities', () => {
    expect(askFor('personality', 0n)).toBe(allowed)
    expect(askFor('personality', 0xffff_ffffn)).toBe(allowed)
    for (const persona of [0x004_0000n, 0x8n, 0x40_0000n]) expect(askFor('personality', persona)).toBe(refused('EPERM'))
  })

  it('is a valid BPF program: whole instructions, not too many, with a return at the end', () => {
    expect(filter.length % 8).toBe(0)
    expect(filter.length / 8).toBeLessThan(4096)
    expect(filter.at(-8)).toBe(0x06)
  })
})

describe.each(architectures)('S5: the filter of the browser on %s', (architecture) => {
  const { seccomp } = profileOf('browser')
  const only = onlyNumbers(seccomp, architecture) ?? []
  const filter = compileSeccomp(seccompRules(seccomp), architecture, only)
  const ask = (number: number, ...args: readonly bigint[]) =>
    runBpf(filter, { number, architecture: auditArch[architecture], arguments: args })
  const askFor = (call: Parameters<typeof syscallNumber>[0], ...args: readonly bigint[]) =>
    ask(syscallNumber(call, architecture) ?? -1, ...args)

  it('lets at most 150 calls through, whatever their arguments are', () => {
    const conditional = seccompRules(seccomp).filter(({ when }) => when).length
    expect(only.length + conditional).toBeLessThanOrEqual(150)
    const unlisted = Array.from({ length: lastKnownCall + 1 }, (_, number) => number).filter(
      (number) => ask(number) === allowed && !only.includes(number),
    )
    const ruled = seccompRules(seccomp).map(({ call }) => syscallNumber(call, architecture))
    expect(unlisted.filter((number) => !ruled.includes(number))).toEqual([])
  })

  it('allows TCP and no other protocol of the internet', () => {
    for (const protocol of [0n, 6n]) expect(askFor('socket', 2n, 1n, protocol)).toBe(allowed)
    // UDP, SCTP, UDP-Lite and MPTCP.
    for (const protocol of [17n, 132n, 136n, 262n]) {
      for (const type of [1n, 5n]) expect(askFor('socket', 2n, type, protocol)).toBe(refused('EAFNOSUPPORT'))
    }
  })

  it('allows no data out of band', () => {
    expect(askFor('sendmsg', 3n, 0n, 0x4000n)).toBe(allowed)
    expect(askFor('sendmsg', 3n, 0n, 0x4001n)).toBe(refused('EPERM'))
    expect(askFor('recvmsg', 3n, 0n, 1n)).toBe(refused('EPERM'))
    expect(askFor('sendto', 3n, 0n, 0n, 1n)).toBe(refused('EPERM'))
    expect(askFor('recvfrom', 3n, 0n, 0n, 0n)).toBe(allowed)
  })
})

describe('a variant', () => {
  it('allows what it names and nothing else', () => {
    const filter = compileSeccomp(seccompRules({ socketFamilies: ['unix', 'inet'], allows: ['ptrace'] }), 'x64')
    const ask = (number: number, argument = 0n) =>
      runBpf(filter, { number, architecture: auditArch.x64, arguments: [argument] })
    expect([ask(41, 1n), ask(41, 2n), ask(101)]).toEqual([allowed, allowed, allowed])
    expect([ask(41, 10n), ask(41, 16n), ask(321)]).toEqual([
      refused('EAFNOSUPPORT'),
      refused('EAFNOSUPPORT'),
      refused('EPERM'),
    ])
  })

  it('without datagrams leaves streams and messages in order, with whatever flags', () => {
    const variation = { socketFamilies: ['unix', 'inet'], datagrams: false } as const
    const filter = compileSeccomp(seccompRules(variation), 'x64')
    const ask = (...args: readonly bigint[]) =>
      runBpf(filter, { number: 41, architecture: auditArch.x64, arguments: args })
    const flags = [0n, 0x800n, 0x8_0000n, 0x8_0800n]
    for (const family of [1n, 2n]) {
      for (const flag of flags) {
        for (const type of [1n, 5n]) expect(ask(family, type | flag)).toBe(allowed)
        for (const type of [2n, 3n]) expect(ask(family, type | flag)).toBe(refused('EAFNOSUPPORT'))
      }
    }
    for (const type of [1n, 2n]) expect(ask(10n, type)).toBe(refused('EAFNOSUPPORT'))
    expect(runBpf(filter, { number: 101, architecture: auditArch.x64 })).toBe(refused('EPERM'))
  })

  it('that opens no family leaves no socket at all', () => {
    const filter = compileSeccomp(seccompRules({ socketFamilies: [] }), 'x64')
    const answer = runBpf(filter, { number: 41, architecture: auditArch.x64, arguments: [1n] })
    expect(answer).toBe(refused('EAFNOSUPPORT'))
  })

  it('is refused if it names a call twice', () => {
    const rule = { call: 'ptrace', errno: 'EPERM' } as const
    expect(() => compileSeccomp([rule, rule], 'x64')).toThrow(/more than one rule/)
  })
})
