import { failure } from '@lathe/domain'
import {
  type CallEnd,
  type CallOptions,
  type Instance,
  type StartLimits,
  startInstance,
  type Unserved,
} from './instance.ts'
import { decide, type InstanceState } from './pool-decision.ts'
import { prepare } from './prepare.ts'
import type { JsonObject } from './runner-protocol.ts'
import { type Sandbox, SandboxUnavailable } from './sandbox.ts'
import { installScripts, scriptCommand } from './scripts.ts'

export interface WarmPoolOptions {
  /** The name of the runner and of its profile. */
  readonly runner: string
  /** The runner's script on this machine, for Node or Python. Files of the same kind next to it are installed too. */
  readonly script: string
  /** Whether to run `script prepare` once first. All instances can read the files that it leaves in its folder. */
  readonly prepare?: boolean
  /** The most instances, in any state. */
  readonly size: number
  /** Started instances that wait for an owner who has none. */
  readonly spares: number
  /**
   * How long spares are kept after a call; always if not set. A pool with this setting starts no spare before its first
   * call, and the next one only after a call has ended, so that starting a spare never slows a call down.
   */
  readonly spareMs?: number
  /** Calls after which an instance is replaced. */
  readonly maxCalls: number
  /** An instance that uses more memory than this after a call is replaced; never if not set. */
  readonly keepBytes?: number
  /** How many cores one call may use. Default: 1. With one instance per core, more gain nothing. */
  readonly threads?: number
  readonly start?: StartLimits
  /** Called for every call with how it was served. */
  onServe?(servedBy: ServedBy): void
}

/** An instance its owner had used before, one that was started ahead, or one that the call had to wait for. */
export type ServedBy = 'warm' | 'spare' | 'wait'

/** Runners that are kept warm, each for one owner. */
export interface WarmPool extends AsyncDisposable {
  /** Runs one request in an instance that belongs to this owner alone. The instance sees only the folder's files. */
  call(ownerId: string, request: JsonObject, options: CallOptions): Promise<CallEnd>
  /** The number of instances in each state, for metrics. */
  states(): Readonly<Record<InstanceState, number>>
}

interface Slot {
  readonly id: number
  state: InstanceState
  owner?: string
  idleSince?: number
  instance?: Instance
  calls: number
}

interface Waiting {
  readonly ticket: number
  readonly owner: string
  /** Whether no instance was free when the call arrived. */
  hasWaited: boolean
  readonly give: (slot: Slot | undefined) => void
}

// An owner's next task usually follows within a second. After that, a spare for any owner is worth more.
const restMs = 1000
// Enough for a Node process with its libraries, even on a busy machine.
const usualStart: StartLimits = { timeMs: 60_000, memoryBytes: 512 * 1024 * 1024 }
// All waiting instances may have died together. After this many attempts the runner itself is at fault.
const maxAttempts = 5
// One failed start says nothing about the next: the instance may have been killed while it started.
const maxFailedStarts = 3
const firstPauseMs = 100
const longestPauseMs = 5000

/** Opens a pool and waits for its spares. Throws SandboxUnavailable if the runner does not start. */
export async function createWarmPool(sandbox: Sandbox, options: WarmPoolOptions): Promise<WarmPool> {
  const { host, scratch } = sandbox
  const { runner, script, threads = 1, start = usualStart } = options
  await using stack = new AsyncDisposableStack()
  const runners = stack.adopt(await installScripts(scratch, script), (folder) => scratch.remove(folder))
  const command = ['/usr/bin/env', `LATHE_RUNNER_THREADS=${threads}`, ...scriptCommand(script)]
  const parts = { host, scratch, runners, runner, command, start }
  try {
    if (options.prepare) await prepare(parts)
    const pool = stack.use(createPool((signal) => startInstance(parts, signal), options))
    await pool.started
    const all = stack.move()
    return { call: pool.call, states: pool.states, [Symbol.asyncDispose]: () => all.disposeAsync() }
  } catch (cause) {
    throw new SandboxUnavailable(`no ${runner} runner: ${(cause as Error).message}`, { cause })
  }
}

/** The pool itself, for any way to start an instance. */
export function createPool(
  start: (signal: AbortSignal) => Promise<Instance>,
  { size, spares, spareMs, maxCalls, keepBytes, onServe }: Omit<WarmPoolOptions, 'runner' | 'script'>,
): WarmPool & { readonly started: Promise<void> } {
  const slots = new Map<number, Slot>()
  const starts = new Set<Promise<void>>()
  const closing = new AbortController()
  const started = Promise.withResolvers<void>()
  let waiting: readonly Waiting[] = []
  let count = 0
  let failedStarts = 0
  let pauseMs = 0
  let pausedUntil = 0
  let timer: NodeJS.Timeout | undefined
  let wantedUntil = Number.NEGATIVE_INFINITY

  /** How many started instances should wait now. */
  function sparesWanted(now: number): number {
    if (spareMs === undefined) return spares
    const busy = [...slots.values()].filter(({ state }) => state === 'busy').length
    return now < wantedUntil ? Math.max(spares - busy - waiting.length, 0) : 0
  }

  /** Applies the decision for the current state. Called after every change. */
  function settle(): void {
    if (closing.signal.aborted) return
    const now = performance.now()
    const decision = decide({ instances: [...slots.values()], waiting, size, spares: sparesWanted(now), now, restMs })
    for (const { ticket, instance } of decision.assign) assign(ticket, instance)
    for (const id of decision.end) end(slots.get(id))
    if (spareMs !== undefined && now >= wantedUntil) endSpares()
    if (now >= pausedUntil) for (let n = 0; n < decision.start; n += 1) track(add())
    if ([...slots.values()].some(({ state }) => state === 'spare')) started.resolve()
    lookAgain(now)
  }

  // No call has arrived for a while.
  function endSpares(): void {
    for (const slot of slots.values()) if (slot.state === 'spare') end(slot)
  }

  // Three changes happen without a call: a pause ends, an idle instance reaches its rest time, spares are no longer
  // wanted.
  function lookAgain(now: number): void {
    clearTimeout(timer)
    const times = [pausedUntil, wantedUntil, ...[...slots.values()].map(({ idleSince = 0 }) => idleSince + restMs)]
    const next = Math.min(...times.filter((time) => time > now))
    if (Number.isFinite(next)) timer = setTimeout(settle, next - now + 1).unref()
  }

  function assign(ticket: number, id: number): void {
    const slot = slots.get(id)
    const waiter = waiting.find((candidate) => candidate.ticket === ticket)
    if (!slot || !waiter) return
    waiting = waiting.filter((candidate) => candidate !== waiter)
    onServe?.(waiter.hasWaited ? 'wait' : slot.state === 'idle' ? 'warm' : 'spare')
    slot.state = 'busy'
    slot.owner = waiter.owner
    waiter.give(slot)
  }

  function track(work: Promise<void>): void {
    starts.add(work)
    work.finally(() => starts.delete(work))
  }

  async function add(): Promise<void> {
    count += 1
    const slot: Slot = { id: count, state: 'starting', calls: 0 }
    slots.set(slot.id, slot)
    try {
      slot.instance = await start(closing.signal)
      slot.state = 'spare'
      failedStarts = 0
      pauseMs = 0
      slot.instance.ended.then(() => end(slot))
    } catch (error) {
      slots.delete(slot.id)
      onStartFailed(error as Error)
    }
    settle()
  }

  // Each failure lengthens the pause before the next start. After several in a row, the longest waiting caller fails.
  function onStartFailed(error: Error): void {
    started.reject(error)
    failedStarts += 1
    if (failedStarts >= maxFailedStarts) {
      const [first, ...rest] = waiting
      waiting = rest
      first?.give(undefined)
    }
    pauseMs = Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs)
    pausedUntil = performance.now() + pauseMs
  }

  function end(slot: Slot | undefined): void {
    if (!slot?.instance || slot.state === 'ending') return
    slot.state = 'ending'
    slot.instance.kill()
    // Its slot is free only when it is gone: the pool never exceeds its size.
    const leave = () => {
      slots.delete(slot.id)
      settle()
    }
    // A folder that cannot be removed is left to the next worker that starts here.
    slot.instance.gone.then(leave, leave)
  }

  async function release(slot: Slot, succeeded: boolean): Promise<void> {
    slot.calls += 1
    if (spareMs !== undefined) wantedUntil = performance.now() + spareMs
    const isKept = succeeded && slot.calls < maxCalls && !(await hasGrown(slot.instance))
    if (slot.state !== 'busy') return
    if (isKept) {
      slot.state = 'idle'
      slot.idleSince = performance.now()
    } else end(slot)
    settle()
  }

  async function hasGrown(instance: Instance | undefined): Promise<boolean> {
    if (keepBytes === undefined) return false
    return ((await instance?.memoryInUse()) ?? 0) > keepBytes
  }

  function acquire(owner: string, signal: AbortSignal): Promise<Slot | undefined> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Slot | undefined>()
    count += 1
    const onAbort = () => {
      waiting = waiting.filter((candidate) => candidate !== waiter)
      reject(signal.reason)
    }
    const waiter: Waiting = {
      ticket: count,
      owner,
      hasWaited: false,
      give(slot) {
        signal.removeEventListener('abort', onAbort)
        resolve(slot)
      },
    }
    signal.addEventListener('abort', onAbort, { once: true })
    waiting = [...waiting, waiter]
    settle()
    waiter.hasWaited = true
    return promise
  }

  async function callOne(...[ownerId, request, options]: Parameters<WarmPool['call']>): Promise<CallEnd | Unserved> {
    if (closing.signal.aborted) return failure('internal', { detail: 'the pool is closed' })
    const slot = await acquire(ownerId, options.signal)
    if (!slot?.instance) return failure('internal', { detail: 'no instance could be started' })
    // Until it is called, nothing is wrong with the instance.
    let succeeded = true
    try {
      using _turn = await options.takePermit?.(options.signal)
      succeeded = false
      const end = await slot.instance.call(request, options)
      succeeded = end.kind === 'done'
      return end
    } finally {
      // The answer is known: the caller does not wait for the pool to clean up.
      void release(slot, succeeded)
    }
  }

  settle()
  // Without spares to wait for, the pool is ready at once.
  if (spares === 0 || spareMs !== undefined) started.resolve()
  // Later start failures are reported to their caller, not here.
  started.promise.catch(() => {})

  return {
    started: started.promise,
    async call(ownerId, request, options) {
      let detail = ''
      // The death of an instance may show only when it is called. Then another one serves the call.
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const end = await callOne(ownerId, request, options)
        if (end.kind !== 'unserved') return end
        detail = end.detail
      }
      return failure('engine_crashed', { detail })
    },
    states() {
      const states = { starting: 0, spare: 0, idle: 0, busy: 0, ending: 0 }
      for (const { state } of slots.values()) states[state] += 1
      return states
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      clearTimeout(timer)
      for (const waiter of waiting) waiter.give(undefined)
      waiting = []
      await Promise.all(starts)
      const all = [...slots.values()]
      for (const slot of all) end(slot)
      await Promise.all(all.map((slot) => slot.instance?.gone))
    },
  }
}
