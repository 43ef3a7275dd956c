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
  /** Those of the long ones that were expected to be quick. */
  readonly overdue: number
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
  { quick, long, alone, storing, wantsAlone, overdue, ofOneOwner }: EngineLoad,
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
  // Nor behind an owner that fills every engine, or behind owners whose tasks are not quick as expected: it gets the
  // next permit or an additional one (see permit-order.ts).
  if (lane === 'quick') return isFirst && (ofOneOwner >= engines || overdue > 0) && busy < 3 * engines
  // Without the second condition, a constant flow of quick tasks would keep every long task out.
  return !wantsAlone && long < longMost && (busy < engines || (isPatient && long === 0 && busy < 2 * engines))
}

/** How a task in hand counts. */
export interface TaskInHand {
  readonly part: Lane | 'storing'
  readonly ownerId: ObjectId | undefined
  readonly since: number
}

// By then its engine has done more work than that of a quick task, and it loses little if it starts again.
const yieldAfterMs = 5_000

/**
 * The task that goes to the long lane, so that a task of an owner without one here gets its engine: one that was
 * expected to be quick and is not, of the owner that has most of them.
 */
export function taskToYield<Task extends TaskInHand>(tasks: Iterable<Task>, now: number): Task | undefined {
  const late = [...tasks].filter(({ part, since }) => part === 'quick' && now - since >= yieldAfterMs)
  const ofOwner = Map.groupBy(late, ({ ownerId }) => ownerId)
  return [...ofOwner.values()].toSorted((a, b) => b.length - a.length)[0]?.[0]
}

/** Sums up the tasks in hand. */
export function loadOf(tasks: Iterable<TaskInHand>, now: number, wantsAlone = false): EngineLoad {
  const slowSince = now - slowMs
  const load = { quick: 0, long: 0, alone: 0, storing: 0, wantsAlone, overdue: 0, ofOneOwner: 0 }
  const owners = new Map<ObjectId, number>()
  for (const { part, since, ownerId } of tasks) {
    const isOverdue = part === 'quick' && since < slowSince
    load[isOverdue ? 'long' : part] += 1
    if (isOverdue) load.overdue += 1
    if (part === 'storing' || ownerId === undefined) continue
    const own = (owners.get(ownerId) ?? 0) + 1
    owners.set(ownerId, own)
    load.ofOneOwner = Math.max(load.ofOneOwner, own)
  }
  return load
}
