import {
  type EngineSlotsConfig,
  loadOf,
  mayStart,
  nextPermit,
  type PermitWaiter,
  patienceMs,
  type TaskInHand,
} from '@lathe/domain'
import { priorityOf } from '@lathe/queue'
import { createHeap } from './heap.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A task for an engine in the queue of its lane. */
export interface EngineTask {
  readonly ownerId: string
  readonly lane: 'quick' | 'long'
  readonly engineMs: number
  readonly rank: number
  /** Called when an engine starts it, and when it is done. */
  started(): void
  ended(): void
}

/** Workers of one group in one cell, with their queues. */
export interface EngineWorkers {
  add(task: EngineTask): void
  /** Ends everything: nothing that was started is ever completed. */
  lose(): void
  /** Used engine time in milliseconds. */
  readonly usedMs: number
}

interface Worker {
  readonly inHand: Set<TaskInHand>
  readonly waiting: Set<Waiter>
  readonly held: Map<string, number>
  free: number
  lastAt: number
}

interface Waiter extends PermitWaiter {
  readonly task: EngineTask
  readonly inHand: TaskInHand
}

interface Queued {
  readonly task: EngineTask
  readonly since: number
}

/** Workers that follow the service's own rules: queue order, admission to a worker, engine permits. */
export function createEngineWorkers(
  clock: VirtualClock,
  { count, engines: config }: { readonly count: number; readonly engines: EngineSlotsConfig },
): EngineWorkers {
  const queues = { quick: createHeap<Queued>(), long: createHeap<Queued>() }
  const workers: Worker[] = Array.from({ length: count }, () => ({
    inHand: new Set(),
    waiting: new Set(),
    held: new Map(),
    free: config.engines,
    lastAt: Number.NEGATIVE_INFINITY,
  }))
  let isLost = false
  let nextWorker = 0
  let usedMs = 0
  /** When the queues are checked again even without an event: an entry may have waited long enough by then. */
  let looksAt = Number.POSITIVE_INFINITY

  function handOut(): void {
    while (handOutOne('quick') || handOutOne('long'));
  }

  function handOutOne(lane: 'quick' | 'long'): boolean {
    const entry = queues[lane].first
    if (!entry) return false
    const waitedMs = clock.now - entry.since
    const worker = findWorker(entry.task, waitedMs)
    if (!worker) {
      if (waitedMs < patienceMs[lane]) lookAt(entry.since + patienceMs[lane])
      return false
    }
    queues[lane].take()
    claim(worker, entry.task)
    return true
  }

  // Any worker may get the entry: the first to ask the queue gets it.
  function findWorker({ lane, ownerId }: EngineTask, waitedMs: number): Worker | undefined {
    nextWorker = (nextWorker + 1) % workers.length
    for (let step = 0; step < workers.length; step += 1) {
      const worker = workers[(nextWorker + step) % workers.length] as Worker
      const isFirst = ![...worker.inHand].some((task) => task.ownerId === ownerId)
      if (mayStart(loadOf(worker.inHand, clock.now), config, { lane, waitedMs, isFirst })) return worker
    }
    return undefined
  }

  function lookAt(ms: number): void {
    if (looksAt <= ms) return
    looksAt = ms
    clock.at(ms, () => {
      if (looksAt === ms) looksAt = Number.POSITIVE_INFINITY
      if (!isLost) handOut()
    })
  }

  function claim(worker: Worker, task: EngineTask): void {
    const { ownerId, lane } = task
    const inHand = { part: lane, ownerId, since: clock.now }
    worker.inHand.add(inHand)
    worker.waiting.add({ task, inHand, permits: 1, isAlone: false, ownerId, since: clock.now })
    pass(worker)
  }

  const sharing = ({ free, lastAt }: Worker) => ({ limit: config.engines, free, lastAt })

  function pass(worker: Worker): void {
    const { held, waiting } = worker
    const pick = () => nextPermit(waiting, { ...sharing(worker), held, now: clock.now, fits: () => true })
    for (let next = pick(); next; next = pick()) {
      waiting.delete(next)
      start(worker, next)
    }
  }

  function start(worker: Worker, { task, inHand }: Waiter): void {
    const { held } = worker
    worker.free -= 1
    worker.lastAt = clock.now
    held.set(task.ownerId, (held.get(task.ownerId) ?? 0) + 1)
    task.started()
    // If there are more engines than cores, they share the cores.
    const shared = Math.max(1, (config.engines - worker.free) / config.engines)
    usedMs += task.engineMs
    clock.at(clock.now + task.engineMs * shared, () => {
      if (!isLost) end(worker, task, inHand)
    })
  }

  function end(worker: Worker, task: EngineTask, inHand: TaskInHand): void {
    const { held } = worker
    worker.free += 1
    const left = (held.get(task.ownerId) ?? 1) - 1
    if (left > 0) held.set(task.ownerId, left)
    else held.delete(task.ownerId)
    worker.inHand.delete(inHand)
    task.ended()
    pass(worker)
    handOut()
  }

  return {
    add(task) {
      queues[task.lane].add(priorityOf(task.rank, clock.now), { task, since: clock.now })
      handOut()
    },
    lose() {
      isLost = true
    },
    get usedMs() {
      return usedMs
    },
  }
}
