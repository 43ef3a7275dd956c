import { availableParallelism } from 'node:os'
import { type EvilEnd, tryEvilEngine } from './evil-engine.ts'
import { programs } from './launch-command.ts'
import type { EngineProfile } from './profiles.ts'
import type { Scratch } from './scratch.ts'
import type { Host } from './start-process.ts'

/**
 * How well engines are kept in:
 *
 *   3  everything: private users, processes, mounts, network and /proc, a filter, a cgroup, a uid of its own
 *   2  isolated all the same, with something of that left out because the host has it not
 *   1  isolated by a runtime that somebody vouches for, not by us
 *   0  not isolated: only where it was asked for, and never in production
 */
export type SandboxLevel = 0 | 1 | 2 | 3

export interface Proof<H extends Host> {
  readonly level: SandboxLevel
  readonly host: H
  /** What a higher level would need. */
  readonly missing: readonly string[]
  /** What the evil engine could do; empty above level 0. */
  readonly faults: readonly string[]
}

export interface Concessions {
  /** A program that takes bwrap's arguments, and that somebody vouches for. */
  readonly runtime?: string
  readonly allowInsecure: boolean
}

interface Attempt<H> {
  readonly host: H
  readonly level: 'best' | 1 | 0
  readonly end: EvilEnd
}

/** What the host lets a sandbox have of its own; found out by trying. */
type Own = Pick<Host, 'privateProc' | 'ownHostname'>

/**
 * Goes down the ladder until a sandbox holds in which the evil engine, run in every profile, gets nowhere. Gives the
 * faults if none does and insecurity was not asked for: fail closed.
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
  // What leaks can still run; where bwrap builds nothing at all, nothing does.
  const loose = tried.find(({ end }) => end.ran)
  return loose ? toProof({ ...loose, level: 0 }) : { faults: tried.flatMap(({ end }) => end.faults) }
}

/** The next thing to do without, if that is why bwrap built nothing: container engines mask /proc and refuse host names. */
function withoutRefused(own: Own, { ran, faults }: EvilEnd): Own | undefined {
  const says = (word: string) => !ran && faults.some((fault) => fault.includes(word))
  if (own.ownHostname && says('set hostname')) return { ...own, ownHostname: false }
  if (own.privateProc && says('mount proc')) return { ...own, privateProc: false }
  return undefined
}

/** Runs the evil engine in each of the profiles; what one lets through, all do. */
export async function tryProfiles(host: Host, scratch: Scratch, profiles: readonly EngineProfile[]): Promise<EvilEnd> {
  const left = [...profiles]
  const ends: EvilEnd[] = []
  // One a core: more at once would only make a death look slow that is not.
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

/** What the host does not have of all that a sandbox can be made of. */
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
