import { setTimeout as pause } from 'node:timers/promises'
import {
  type EngineSlotsConfig,
  type Lane,
  loadOf,
  mayStart,
  type ObjectId,
  patienceMs,
  type TaskInHand,
  taskToYield,
} from '@lathe/domain'
import type { Gate } from '@lathe/queue'

/** A task that needs an engine holds a slot from before it is claimed until it has ended. */
export interface EngineSlot extends Disposable {
  readonly lane: Lane
  /** Aborted when the task, which is not quick as expected, yields its engine to another owner. */
  readonly signal: AbortSignal
  /** Turns it into the slot of a long task. Returns false if no long task may start here now. */
  toLong(): boolean
  /** The task's engine is done: the task only stores its files now, and another task may use the engine. */
  endEngine(): void
}

/** The engines of this worker, and the gates that admit tasks to them. */
export interface EngineSlots {
  readonly gates: Readonly<Record<Lane, Gate<EngineSlot>>>
  /** Lets no task start until it is called with false. */
  pause(isPaused: boolean): void
}

// While one owner uses all engines, the queue is checked this often for tasks of owners that have none here.
const newcomerMs = 100
// While none could start, this often: a task that is not quick may yield to one of them.
const overdueMs = 1_000

interface Held extends TaskInHand {
  part: TaskInHand['part']
  readonly yielding: AbortController
}

export function createEngineSlots(config: EngineSlotsConfig): EngineSlots {
  const slots = new Set<Held>()
  const waiting = new Set<() => void>()
  let isPaused = false
  // The gates of several queues may wait at the same time.
  let waitingAlone = 0

  const loadNow = () => loadOf(slots, performance.now(), waitingAlone > 0)
  const isFirst = (ownerId: ObjectId) => ![...slots].some((slot) => slot.ownerId === ownerId && slot.part !== 'storing')
  const may = (lane: Lane, waitedMs: number, ownerId?: ObjectId) =>
    !isPaused && mayStart(loadNow(), config, { lane, waitedMs, isFirst: ownerId !== undefined && isFirst(ownerId) })
  /** Whether a task whose owner has none here could start. */
  const mayFirst = (lane: Lane) => !isPaused && mayStart(loadNow(), config, { lane, waitedMs: 0, isFirst: true })
  const change = () => new Promise<void>((resolve) => waiting.add(resolve))

  function notifyChange(): void {
    for (const wake of waiting) wake()
    waiting.clear()
  }

  function createSlot(lane: Lane, ownerId?: ObjectId): EngineSlot {
    const yielding = new AbortController()
    const slot: Held = { part: lane, ownerId, since: performance.now(), yielding }
    slots.add(slot)
    return {
      signal: yielding.signal,
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
        notifyChange()
      },
      [Symbol.dispose]() {
        if (slots.delete(slot)) notifyChange()
      },
    }
  }

  /**
   * Frees an engine for an owner without tasks here, if all are taken and a task was not quick as expected: that one
   * starts again with the long tasks. One at a time: the next one when that one has left.
   */
  function makeRoom(ownerId: ObjectId | undefined): void {
    const { quick, long } = loadNow()
    if (isPaused || ownerId === undefined || !isFirst(ownerId) || quick + long < config.engines) return
    if ([...slots].some(({ part, yielding }) => part === 'quick' && yielding.signal.aborted)) return
    taskToYield(slots, performance.now())?.yielding.abort(new Error('the task was not quick as expected'))
  }

  /** Waits until no long task runs here, and lets none start meanwhile. */
  async function untilLongOnesEnd(): Promise<EngineSlot> {
    waitingAlone += 1
    while (!may('alone', Number.POSITIVE_INFINITY)) await change()
    waitingAlone -= 1
    return createSlot('alone')
  }

  function createGateOf(lane: Lane): Gate<EngineSlot> {
    return {
      enter(waitedMs, ownerId) {
        if (lane === 'quick') makeRoom(ownerId)
        if (may(lane, waitedMs, ownerId)) return createSlot(lane, ownerId)
        return lane === 'alone' && waitedMs >= patienceMs.alone ? untilLongOnesEnd() : undefined
      },
      // Entries come in order: the next one has waited about as long as the last.
      async untilOpen(waitedMs) {
        const isOpenLater = () => lane === 'alone' || may(lane, Number.POSITIVE_INFINITY)
        const retryMs = () => {
          if (isOpenLater()) return patienceMs[lane]
          if (mayFirst(lane)) return newcomerMs
          return lane === 'quick' && !isPaused ? overdueMs : undefined
        }
        while (!may(lane, waitedMs)) {
          const ms = retryMs()
          if (ms === undefined) await change()
          else if (await Promise.race([change().then(() => false), pause(ms, true, { ref: false })])) return
        }
      },
    }
  }

  return {
    gates: { quick: createGateOf('quick'), long: createGateOf('long'), alone: createGateOf('alone') },
    pause(next) {
      isPaused = next
      notifyChange()
    },
  }
}
