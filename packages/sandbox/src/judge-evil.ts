import { enclosedEnv, enclosedUid } from './bwrap-arguments.ts'
import { profiles } from './profiles.ts'
import type { SyscallAttempt } from './syscall-attempts.ts'

/** What the evil engine found inside a sandbox; see evil-engine.mjs. Any unexpected value counts as a fault. */
export interface EvilFacts {
  readonly uid: unknown
  readonly env: unknown
  readonly environs: unknown
  readonly status: unknown
  readonly interfaces: unknown
  readonly processes: unknown
  readonly namespaces: Readonly<Record<string, unknown>>
  readonly devices: unknown
  readonly reads: Readonly<Record<string, unknown>>
  readonly writes: Readonly<Record<string, unknown>>
  readonly links: Readonly<Record<string, unknown>>
  readonly job: unknown
  readonly tmp: unknown
  readonly oversize: unknown
  readonly connects: Readonly<Record<string, unknown>>
  readonly datagram: unknown
  readonly lookup: unknown
  readonly calls: Readonly<Record<string, unknown>>
  readonly forks: unknown
}

export interface EvilExpectations {
  readonly privateProc: boolean
  /** The worker's own namespaces, where they can be compared. The engine may be in none of them. */
  readonly namespaces: Readonly<Record<string, string>> | undefined
  /** System calls the filter must refuse. */
  readonly attempts: readonly SyscallAttempt[]
  /** The most processes the sandbox may hold, where that is limited. */
  readonly processes: number | undefined
}

/** The namespaces that every sandbox has for itself. */
export const privateNamespaces = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts'] as const

// More than the first process, the engine and the tools it starts: the others belong to someone else.
const mostProcesses = 8

// The files that bwrap creates in /dev. None of them is hardware.
const harmlessDevices = new Set(
  'console core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero'.split(' '),
)

type Check = readonly [holds: boolean, fault: string]

/** Every fault of the sandbox, as text. Empty if it holds. */
export function judgeEvil(facts: EvilFacts, expected: EvilExpectations): readonly string[] {
  const checks: readonly Check[] = [
    [facts.uid === enclosedUid, 'the engine does not run as nobody'],
    [isWithin(facts.env, knownNames), 'the engine sees an environment that is not its own'],
    [isWithin(facts.devices, harmlessDevices), 'the engine sees devices'],
    [Object.values(facts.reads).every(isRefused), `the engine can read ${named(facts.reads)}`],
    [Object.values(facts.writes).every(isRefused), `the engine can write to ${named(facts.writes)}`],
    [Object.values(facts.links).every(isRefused), 'the engine can write outside through a link'],
    [facts.job === 'written' && facts.tmp === 'written', 'the engine cannot write to its own folders'],
    [isRefused(facts.oversize), 'the engine can write files beyond their limit'],
    [Object.values(facts.connects).every((end) => isWord(end) && end !== 'connected'), 'the engine can connect'],
    [isWord(facts.datagram) && facts.datagram !== 'sent', 'the engine can send datagrams'],
    [isWord(facts.lookup) && facts.lookup !== 'answered', 'the engine can look names up'],
    ...expected.attempts.map(({ name, errno }): Check => {
      const answer = facts.calls[name]
      return [answer === errno, `the filter lets ${name} through: ${answer ?? 'not tried'}`]
    }),
    ...judgeForks(facts.forks, expected.processes),
    ...(expected.privateProc ? judgeProc(facts, expected) : []),
  ]
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]))
}

function judgeForks(forks: unknown, processes: number | undefined): readonly Check[] {
  if (processes === undefined) return []
  return [[typeof forks === 'number' && forks < processes, 'the engine can fork beyond its limit']]
}

function judgeProc(facts: EvilFacts, { namespaces }: EvilExpectations): readonly Check[] {
  const status = typeof facts.status === 'string' ? facts.status : ''
  const { interfaces, processes } = facts
  const apart = privateNamespaces.every((name) => {
    const inside = facts.namespaces[name]
    return typeof inside === 'string' && inside !== namespaces?.[name]
  })
  return [
    [/^CapEff:\s*0+$/m.test(status) && /^CapPrm:\s*0+$/m.test(status), 'the engine has capabilities'],
    [/^NoNewPrivs:\s*1$/m.test(status), 'the engine can gain privileges'],
    [/^Seccomp:\s*2$/m.test(status), 'the engine runs without a filter'],
    [Array.isArray(interfaces) && interfaces.every((name) => name === 'lo'), 'the engine has a network'],
    [isWithin(facts.environs, knownNames), 'the engine sees the environment of another process'],
    [Array.isArray(processes) && processes.length <= mostProcesses, 'the engine sees processes that are not its own'],
    [apart, 'the engine shares a namespace with the worker'],
  ]
}

const ofProfiles = profiles.flatMap(({ env = {} }) => Object.keys(env))
// The shell that starts the chain of programs before bwrap adds PWD.
const knownNames: ReadonlySet<string> = new Set([...Object.keys(enclosedEnv), ...ofProfiles, 'PWD'])

function isWithin(found: unknown, allowed: ReadonlySet<string>): boolean {
  return Array.isArray(found) && found.every((name) => allowed.has(name))
}

function isRefused(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'refused' in outcome
}

function isWord(outcome: unknown): outcome is string {
  return typeof outcome === 'string'
}

function named(outcomes: Readonly<Record<string, unknown>>): string {
  return Object.keys(outcomes)
    .filter((name) => !isRefused(outcomes[name]))
    .join(', ')
}
