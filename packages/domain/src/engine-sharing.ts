import type { Lane } from './lanes.ts'
import type { ObjectId } from './object-id.ts'

/** How a worker divides its engines between quick and long tasks. */
export interface EngineSlotsConfig {
  /** Engines that run at the same time. */
  readonly engines: number
  /** How many engines long tasks may use. */
  readonly longMost: number
  /** The most tasks in hand, including tasks that only store files. */
  readonly most: number
}

/** The tasks in hand whose engines are not done, and what else decides whether a task may start. */
export interface EngineLoad {
  readonly quick: number
  /** Includes tasks that were expected to be quick and are not. */
  readonly long: number
  readonly alone: number
  /** Tasks whose engines are done. */
  readonly storing: number
  /** Whether a task that must run alone waits for long tasks to end. */
  readonly wantsAlone: boolean
  /** How many of the quick and long tasks belong to the owner with the most of them. */
  readonly ofOneOwner: number
}

/** A task that could start. */
export interface Starter {
  readonly lane: Lane
  readonly waitedMs: number
  /** Whether its owner has no other task here whose engine is not done. */
  readonly isFirst?: boolean
}

/**
 * How long an entry must have waited before a worker without a free engine may claim it. An idle worker claims it
 * within milliseconds. If no worker did, a busy one can fetch its files while an engine finishes a quick task.
 */
export const patienceMs: Readonly<Record<Lane, number>> = { quick: 20, long: 1_000, alone: 60_000 }

// After this time a task counts as long, whatever was expected.
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
  // Quick tasks in hand do not matter: the task waits until they are done, then runs alone.
  if (lane === 'alone') return long === 0
  // A quick task must not wait behind a long one: only engines that do quick work count.
  if (lane === 'quick' && (busy < engines || (isPatient && busy < 2 * engines - long))) return true
  // Nor behind an owner that fills every engine: it gets the next permit or an additional one (see permit-order.ts).
  if (lane === 'quick') return isFirst && ofOneOwner >= engines && busy < 3 * engines
  // Without the second condition, a constant flow of quick tasks would keep every long task out.
  return !wantsAlone && long < longMost && (busy < engines || (isPatient && long === 0 && busy < 2 * engines))
}

/** How a task in hand counts. */
export interface TaskInHand {
  readonly part: Lane | 'storing'
  readonly ownerId: ObjectId | undefined
  readonly since: number
}

/** Sums up the tasks in hand. */
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
