import { setTimeout as pause } from 'node:timers/promises'
import type { Lane, ObjectId } from '@lathe/domain'
import type { Gate } from '@lathe/queue'

/** What a task of an engine holds from before it is claimed until it has ended. */
export interface EngineSlot extends Disposable {
  readonly lane: Lane
  /** Makes it a slot of a long task. False: no long task may start here now. */
  toLong(): boolean
  /** Says that the task's engine is done: what is left is to store its files, and another task may have the engine. */
  endEngine(): void
}

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
const patienceMs: Readonly<Record<Lane, number>> = { quick: 20, long: 1_000, alone: 60_000 }

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
  // Nor behind an owner that could fill every engine: the next turn is its own, or one more (see turns.ts).
  if (lane === 'quick') return isFirst && ofOneOwner >= engines && busy < 3 * engines
  // Without the second way, quick tasks that never end would keep every long one out.
  return !wantsAlone && long < longMost && (busy < engines || (isPatient && long === 0 && busy < 2 * engines))
}

/** The engines of this worker, and the gates through which tasks get at them. */
export interface EngineSlots {
  readonly gates: Readonly<Record<Lane, Gate<EngineSlot>>>
  /** Lets nothing start until it is told otherwise. */
  pause(isPaused: boolean): void
}

interface Held {
  part: Lane | 'storing'
  readonly ownerId: ObjectId | undefined
  readonly since: number
}

export function createEngineSlots(config: EngineSlotsConfig): EngineSlots {
  const slots = new Set<Held>()
  const waiting = new Set<() => void>()
  let isPaused = false
  let wantsAlone = false

  function loadNow(): EngineLoad {
    const slowSince = performance.now() - slowMs
    const load = { quick: 0, long: 0, alone: 0, storing: 0, wantsAlone, ofOneOwner: 0 }
    const owners = new Map<ObjectId, number>()
    for (const { part, since, ownerId } of slots) {
      load[part === 'quick' && since < slowSince ? 'long' : part] += 1
      if (part === 'storing' || ownerId === undefined) continue
      const own = (owners.get(ownerId) ?? 0) + 1
      owners.set(ownerId, own)
      load.ofOneOwner = Math.max(load.ofOneOwner, own)
    }
    return load
  }

  const isFirst = (ownerId: ObjectId) => ![...slots].some((slot) => slot.ownerId === ownerId && slot.part !== 'storing')
  const may = (lane: Lane, waitedMs: number, ownerId?: ObjectId) =>
    !isPaused && mayStart(loadNow(), config, { lane, waitedMs, isFirst: ownerId !== undefined && isFirst(ownerId) })
  const change = () => new Promise<void>((resolve) => waiting.add(resolve))

  function tellChange(): void {
    for (const wake of waiting) wake()
    waiting.clear()
  }

  function createSlot(lane: Lane, ownerId?: ObjectId): EngineSlot {
    const slot: Held = { part: lane, ownerId, since: performance.now() }
    slots.add(slot)
    return {
      get lane() {
        return slot.part === 'storing' ? lane : slot.part
      },
      toLong() {
        if (slot.part !== 'quick') return true
        slots.delete(slot)
        const isOpen = may('long', 0)
        slots.add(slot)
        if (isOpen) slot.part = 'long'
        return isOpen
      },
      endEngine() {
        slot.part = 'storing'
        tellChange()
      },
      [Symbol.dispose]() {
        if (slots.delete(slot)) tellChange()
      },
    }
  }

  /** Waits until no long task runs here, and lets none start meanwhile. */
  async function untilLongOnesEnd(): Promise<EngineSlot> {
    wantsAlone = true
    while (!may('alone', Number.POSITIVE_INFINITY)) await change()
    wantsAlone = false
    return createSlot('alone')
  }

  function createGateOf(lane: Lane): Gate<EngineSlot> {
    return {
      enter(waitedMs, ownerId) {
        if (may(lane, waitedMs, ownerId)) return createSlot(lane, ownerId)
        return lane === 'alone' && waitedMs >= patienceMs.alone ? untilLongOnesEnd() : undefined
      },
      // Entries come in order: the next one has waited about as long as the last.
      async untilOpen(waitedMs) {
        const isOpenLater = () => lane === 'alone' || may(lane, Number.POSITIVE_INFINITY)
        while (!may(lane, waitedMs)) {
          if (!isOpenLater()) await change()
          else if (await Promise.race([change().then(() => false), pause(patienceMs[lane], true, { ref: false })]))
            return
        }
      },
    }
  }

  return {
    gates: { quick: createGateOf('quick'), long: createGateOf('long'), alone: createGateOf('alone') },
    pause(next) {
      isPaused = next
      tellChange()
    },
  }
}
