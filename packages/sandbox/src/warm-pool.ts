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
  /** The runner's name, and its profile's. */
  readonly runner: string
  /** The runner's script on this machine, for Node or Python; files of its kind beside it come along. */
  readonly script: string
  /** Whether to run it once as `script prepare` first: what that leaves in its folder, all instances can read. */
  readonly prepare?: boolean
  /** Instances at most, of every kind. */
  readonly size: number
  /** Started instances that wait for an owner who has none. */
  readonly spares: number
  /**
   * For how long after a call spares are kept; always if not given. Such a pool starts none before its first call, and its
   * next spare only once a call has ended, so that nobody waits for a start beside their own work.
   */
  readonly spareMs?: number
  /** Calls after which an instance is replaced. */
  readonly maxCalls: number
  /** Memory after a call above which an instance is replaced; never if not given. */
  readonly keepBytes?: number
  /** How many cores one call may use, 1 if not given: with an instance a core, more gain nothing. */
  readonly threads?: number
  readonly start?: StartLimits
  /** Told for every call what served it. */
  onServe?(servedBy: ServedBy): void
}

/** An instance its owner had used before, one that had started ahead, or one that the call had to wait for. */
export type ServedBy = 'warm' | 'spare' | 'wait'

/** Runners kept warm, each for one owner. */
export interface WarmPool extends AsyncDisposable {
  /** Runs one request in an instance that belongs to this owner alone; the folder's files are what it sees. */
  call(ownerId: string, request: JsonObject, options: CallOptions): Promise<CallEnd>
  /** What there is, for metrics. */
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
  /** Whether nothing was there for it when it came. */
  hasWaited: boolean
  readonly give: (slot: Slot | undefined) => void
}

// An owner's next task usually follows within a second; after that a spare for anybody is worth more.
const restMs = 1000
// Enough for a Node process with its libraries, also on a machine that has other things to do.
const usualStart: StartLimits = { timeMs: 60_000, memoryBytes: 512 * 1024 * 1024 }
// All that wait may have died together; a runner that never begins is at fault itself.
const maxAttempts = 5
// One that was killed while it started says nothing about the next.
const maxFailedStarts = 3
const firstPauseMs = 100
const longestPauseMs = 5000

/** Opens a pool and waits for its spares; throws SandboxUnavailable if the runner does not start. */
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

/** The pool itself, over any way to start an instance. */
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

  /** Brings the pool to what the decision says; called after every change. */
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

  // Nobody has come for a while.
  function endSpares(): void {
    for (const slot of slots.values()) if (slot.state === 'spare') end(slot)
  }

  // Three things happen without anybody's call: a pause ends, an idle instance has rested, spares are not wanted any more.
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

  // The next start waits a little longer each time. After some in a row that failed, whoever waits longest is told.
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
    // Its place is free only when it is gone: the pool never holds more than its size.
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
      // Its answer is known: nobody waits for the pool to tidy up.
      void release(slot, succeeded)
    }
  }

  settle()
  // Without spares to wait for, the pool starts with its first caller.
  if (spares === 0 || spareMs !== undefined) started.resolve()
  // A later failure of a start is told to its caller, not here.
  started.promise.catch(() => {})

  return {
    started: started.promise,
    async call(ownerId, request, options) {
      let detail = ''
      // That an instance has died may show only when it is asked: then it is the turn of another.
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
