import { enclosedEnv, enclosedUid } from './bwrap-arguments.ts'

/** What the probe found inside a sandbox; see probe.mjs. Anything not understood counts against the sandbox. */
export interface ProbeFacts {
  readonly uid: unknown
  readonly env: unknown
  readonly status: unknown
  readonly interfaces: unknown
  readonly processes: unknown
  readonly namespaces: Readonly<Record<string, unknown>>
  readonly canary: unknown
  readonly writes: Readonly<Record<string, unknown>>
  readonly job: unknown
  readonly tmp: unknown
  readonly unshare: unknown
  readonly mount: unknown
  readonly tcp: unknown
  readonly abstract: unknown
}

export interface ProbeExpectations {
  readonly privateProc: boolean
  /** The worker's own namespaces: the probe may be in none of them. */
  readonly namespaces: Readonly<Record<string, string>>
}

/** The namespaces a sandbox has to itself. */
export const privateNamespaces = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts'] as const

// More than the first process, the probe and the tools it starts would be somebody else's.
const mostProcesses = 8

/** Everything in which the sandbox does not hold, in words; nothing if it does. */
export function judgeProbe(facts: ProbeFacts, expected: ProbeExpectations): readonly string[] {
  const checks: readonly (readonly [boolean, string])[] = [
    [facts.uid === enclosedUid, 'the engine does not run as nobody'],
    [sameList(facts.env, Object.keys(enclosedEnv)), 'the engine sees an environment that is not its own'],
    [Array.isArray(facts.interfaces) && facts.interfaces.every((name) => name === 'lo'), 'the engine has a network'],
    [isRefused(facts.canary), 'the engine can read a file outside its folder'],
    [Object.values(facts.writes).every(isRefused), 'the engine can write outside its folder'],
    [facts.job === 'written' && facts.tmp === 'written', 'the engine cannot write to its own folders'],
    [facts.unshare !== 0, 'the engine can make user namespaces'],
    [facts.mount !== 0, 'the engine can mount'],
    [facts.tcp !== 'connected' && facts.abstract !== 'connected', 'the engine can connect to the host'],
    ...(expected.privateProc ? judgeProc(facts, expected) : []),
  ]
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]))
}

function judgeProc(facts: ProbeFacts, expected: ProbeExpectations): readonly (readonly [boolean, string])[] {
  const status = typeof facts.status === 'string' ? facts.status : ''
  const { processes } = facts
  const apart = privateNamespaces.every((name) => {
    const inside = facts.namespaces[name]
    return typeof inside === 'string' && inside !== expected.namespaces[name]
  })
  return [
    [/^CapEff:\s*0+$/m.test(status) && /^CapPrm:\s*0+$/m.test(status), 'the engine has capabilities'],
    [/^NoNewPrivs:\s*1$/m.test(status), 'the engine can gain privileges'],
    [Array.isArray(processes) && processes.length <= mostProcesses, 'the engine sees processes that are not its own'],
    [apart, 'the engine shares a namespace with the worker'],
  ]
}

function isRefused(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'refused' in outcome
}

function sameList(found: unknown, wanted: readonly string[]): boolean {
  // The shell that bwrap does not start would add PWD; Node adds nothing.
  return (
    Array.isArray(found) &&
    found
      .filter((name) => name !== 'PWD')
      .sort()
      .join() === [...wanted].sort().join()
  )
}
