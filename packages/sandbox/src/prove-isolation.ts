import { availableParallelism } from 'node:os'
import { type EvilEnd, tryEvilEngine } from './evil-engine.ts'
import { programs } from './launch-command.ts'
import type { EngineProfile } from './profiles.ts'
import type { Scratch } from './scratch.ts'
import type { Host } from './start-process.ts'

/**
 * How well engines are isolated:
 *
 *   3  fully: private users, processes, mounts, network and /proc, a filter, a cgroup, a separate uid
 *   2  isolated, but without some of these because the host does not support them
 *   1  isolated by a runtime that the operator trusts, not by us
 *   0  not isolated: only on request, and never in production
 */
export type SandboxLevel = 0 | 1 | 2 | 3

export interface Proof<H extends Host> {
  readonly level: SandboxLevel
  readonly host: H
  /** What is missing for a higher level. */
  readonly missing: readonly string[]
  /** What the evil engine was able to do. Empty above level 0. */
  readonly faults: readonly string[]
}

export interface Concessions {
  /** An operator-trusted program that takes bwrap's arguments. */
  readonly runtime?: string
  readonly allowInsecure: boolean
}

interface Attempt<H> {
  readonly host: H
  readonly level: 'best' | 1 | 0
  readonly end: EvilEnd
}

/** What the host allows a sandbox to have for itself, found by trying. */
type Own = Pick<Host, 'privateProc' | 'ownHostname'>

/**
 * Tries weaker sandboxes until one holds: the evil engine, run in every profile, gets nowhere in it. Returns the faults
 * if none holds and running without isolation was not requested: fail closed.
 */
export async function proveIsolation<H extends Host>(
  base: Omit<H, keyof Own | 'builder'>,
  { runtime, allowInsecure }: Concessions,
  tryHost: (host: H) => Promise<EvilEnd>,
): Promise<Proof<H> | { readonly faults: readonly string[] }> {
  const tried: Attempt<H>[] = []
  const attempt = async (level: Attempt<H>['level'], builder: string, own: Own) => {
    const host = { ...base, ...own, builder } as H
    const end = await tryHost(host)
    tried.push({ host, level, end })
    return end
  }
  const tryBwrap = async (own: Own): Promise<boolean> => {
    const end = await attempt('best', programs.bwrap, own)
    const less = withoutRefused(own, end)
    return end.faults.length === 0 || (less !== undefined && tryBwrap(less))
  }
  const all = { privateProc: true, ownHostname: true }
  const holds = (await tryBwrap(all)) || (runtime !== undefined && (await attempt(1, runtime, all)).faults.length === 0)
  const [last] = tried.slice(-1)
  if (holds && last) return toProof(last)
  if (!allowInsecure) return { faults: tried.flatMap(({ end }) => end.faults) }
  // A sandbox that leaks can still run engines. Where bwrap builds nothing at all, nothing can run.
  const loose = tried.find(({ end }) => end.ran)
  return loose ? toProof({ ...loose, level: 0 }) : { faults: tried.flatMap(({ end }) => end.faults) }
}

/** What to leave out next, if that is why bwrap failed: container engines mask /proc and refuse hostnames. */
function withoutRefused(own: Own, { ran, faults }: EvilEnd): Own | undefined {
  const says = (word: string) => !ran && faults.some((fault) => fault.includes(word))
  if (own.ownHostname && says('set hostname')) return { ...own, ownHostname: false }
  if (own.privateProc && says('mount proc')) return { ...own, privateProc: false }
  return undefined
}

/** One profile for each sandbox that is built differently. */
export function onePerSandbox(profiles: readonly EngineProfile[]): readonly EngineProfile[] {
  const bySandbox = new Map(profiles.map((profile) => [sandboxOf(profile), profile]))
  return [...bySandbox.values()]
}

// Profiles also differ in memory, where the evil engine has its own amount, and in the size of /tmp and the cores,
// which it does not test.
function sandboxOf({ parts, hides, env, processes, seccomp }: EngineProfile): string {
  return JSON.stringify([parts, hides, env, processes, seccomp])
}

/** Runs the evil engine in every sandbox that the profiles define. The faults of one count for all. */
export async function tryProfiles(host: Host, scratch: Scratch, profiles: readonly EngineProfile[]): Promise<EvilEnd> {
  const left = [...onePerSandbox(profiles)]
  const ends: EvilEnd[] = []
  // One per core: with more at once, the death of an engine would look slower than it is.
  const lanes = Array.from({ length: availableParallelism() }, async () => {
    for (let profile = left.shift(); profile; profile = left.shift()) {
      ends.push(await tryEvilEngine(host, scratch, profile))
    }
  })
  await Promise.all(lanes)
  return { ran: ends.every(({ ran }) => ran), faults: [...new Set(ends.flatMap(({ faults }) => faults))] }
}

function toProof<H extends Host>({ host, level, end }: Attempt<H>): Proof<H> {
  const missing = missingOf(host)
  const best = missing.length === 0 ? 3 : 2
  return { level: level === 'best' ? best : level, host, missing, faults: end.faults }
}

/** What this host lacks for the full sandbox. */
function missingOf({ cgroups, privateProc, identity, builder, rulesKernel }: Host): readonly string[] {
  return [
    ...(cgroups ? [] : ['cgroup']),
    ...(cgroups && !cgroups.limitsCpu ? ['cpu limit'] : []),
    ...(privateProc ? [] : ['private /proc']),
    ...(identity ? [] : ['uid of its own']),
    ...(rulesKernel ? ['worker without power over the kernel'] : []),
    ...(builder === programs.bwrap ? [] : ['sandbox of its own']),
  ]
}
