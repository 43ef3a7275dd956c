import type { Lane } from './lanes.ts'
import type { ObjectId } from './object-id.ts'

/** How many engines a worker has for whom. */
export interface EngineSlotsConfig {
  /** Engines running at once. */
  readonly engines: number
  /** How many of them long tasks may have. */
  readonly longMost: number
  /** Tasks in hand at most, those included that only store. */
  readonly most: number
}

/** The tasks in hand whose engines are not done, and what else decides who may start. */
export interface EngineLoad {
  readonly quick: number
  /** Those included that were expected to be quick and are not. */
  readonly long: number
  readonly alone: number
  /** Tasks whose engines are done. */
  readonly storing: number
  /** Whether one that must be alone waits for long ones to end. */
  readonly wantsAlone: boolean
  /** How many of the quick and long ones are of the owner that has most. */
  readonly ofOneOwner: number
}

/** What wants to start. */
export interface Starter {
  readonly lane: Lane
  readonly waitedMs: number
  /** Whether its owner has no other task here whose engine is not done. */
  readonly isFirst?: boolean
}

/**
 * How long an entry has waited before a worker without a free engine may take it. With an idle worker somewhere it is
 * gone within milliseconds; one that still waits may as well be fetched while an engine finishes something quick.
 */
export const patienceMs: Readonly<Record<Lane, number>> = { quick: 20, long: 1_000, alone: 60_000 }

// From here on a task counts as long, whatever was expected of it.
const slowMs = 1_000

/** Whether a task may be claimed: an engine is free for it, or will be after something quick. */
export function mayStart(
  { quick, long, alone, storing, wantsAlone, ofOneOwner }: EngineLoad,
  { engines, longMost, most }: EngineSlotsConfig,
  { lane, waitedMs, isFirst = false }: Starter,
): boolean {
  const busy = quick + long
  const isPatient = waitedMs >= patienceMs[lane]
  if (alone > 0 || busy + storing >= most) return false
  // Quick ones in hand are waited for: engines are had alone when they are done.
  if (lane === 'alone') return long === 0
  // Nothing waits behind a long one: only engines that do quick work count.
  if (lane === 'quick' && (busy < engines || (isPatient && busy < 2 * engines - long))) return true
  // Nor behind an owner that could fill every engine: the next permit is its own, or one more (see permit-order.ts).
  if (lane === 'quick') return isFirst && ofOneOwner >= engines && busy < 3 * engines
  // Without the second way, quick tasks that never end would keep every long one out.
  return !wantsAlone && long < longMost && (busy < engines || (isPatient && long === 0 && busy < 2 * engines))
}

/** What a task in hand counts as. */
export interface TaskInHand {
  readonly part: Lane | 'storing'
  readonly ownerId: ObjectId | undefined
  readonly since: number
}

/** What the tasks in hand come to. */
export function loadOf(tasks: Iterable<TaskInHand>, now: number, wantsAlone = false): EngineLoad {
  const slowSince = now - slowMs
  const load = { quick: 0, long: 0, alone: 0, storing: 0, wantsAlone, ofOneOwner: 0 }
  const owners = new Map<ObjectId, number>()
  for (const { part, since, ownerId } of tasks) {
    load[part === 'quick' && since < slowSince ? 'long' : part] += 1
    if (part === 'storing' || ownerId === undefined) continue
    const own = (owners.get(ownerId) ?? 0) + 1
    owners.set(ownerId, own)
    load.ofOneOwner = Math.max(load.ofOneOwner, own)
  }
  return load
}
