import { setTimeout as pause } from 'node:timers/promises'
import { type ObjectId, Problem } from '@lathe/domain'
import { createTally } from './tally.ts'

/** Why the service ends a transfer: below the minimum rate, over the time limit, or to free a slot for others. */
export type EndCause = 'too_slow' | 'too_long' | 'gave_way'

/** A transfer of a file between the service and somebody else's machine, which needs a slot. */
export interface Transfer {
  readonly ownerId: ObjectId
  /** What several transfers may use: a form, a link or a task. */
  readonly item: string
  /** Bytes that the other side has sent or received so far. */
  moved(): number
  /** Whether the other side is waiting for us right now, so that the time does not count against its rate. */
  isHeldUp(): boolean
  end(cause: EndCause): void
}

export interface TransferLimits {
  readonly atOnce: number
  readonly perOwner: number
  readonly perItem: number
  /** Slots in addition to `atOnce`, each for the first transfer of an owner that has no slot. Default: none. */
  readonly forNewcomers?: number
  /** How many may wait for a slot, in all and per owner, and for how long. */
  readonly waiting: number
  readonly waitingPerOwner: number
  readonly waitMs: number
  /** Bytes per second that the other side must move, averaged over a window. */
  readonly minRate: number
  readonly windowMs: number
  readonly maxMs?: number
  /**
   * If slots are short, the slowest transfer is ended if it is slower than this and older than `graceMs`, and its owner
   * has no fewer slots than the one that waits.
   */
  readonly safeRate: number
  readonly graceMs: number
  /** Refuses a second concurrent transfer of an item, unless the first has stalled. */
  readonly itemIsExclusive?: boolean
}

/** The transfers of one direction in this process. */
export interface TransferSlots {
  readonly size: number
  /** Throws a Problem if the queue has no room for the owner. */
  requireRoom(ownerId: ObjectId): void
  /** Waits for a slot, or throws a Problem if too many are waiting already. The returned function frees the slot. */
  enter(transfer: Transfer, signal: AbortSignal): Promise<() => void>
  /** The same without waiting: undefined if no slot is free now. A slow transfer may be ended to free one. */
  tryEnter(transfer: Transfer): (() => void) | undefined
}

interface Held {
  readonly transfer: Transfer
  readonly since: number
  seen: number
  /** Bytes by which it may fall short of the minimum rate; at 0 it is ended. */
  credit: number
  /** The rate of the last seconds, in bytes per second. */
  rate: number
  isEnding: boolean
}

/** When a slower transfer was last ended to free a slot for it. */
interface Promised {
  promisedAt: number
}

interface Waiting extends Promised {
  readonly transfer: Transfer
  admit(): void
}

const tickMs = 1000
const lookMs = 50
// Smooths the rate over about the last four seconds.
const smoothing = 0.25
// By then a transfer that was ended has freed its slot; if another took that slot, the next one is ended.
const promiseMs = 2000

/**
 * Limits transfers: in all, per owner and per item. A transfer without a slot waits briefly, owners with the fewest
 * slots first. Transfers that are too slow are ended; if slots are short, the slowest is ended.
 */
export function createTransferSlots(
  limits: TransferLimits,
  onChange: (size: number) => void = () => {},
  onRefuse: () => void = () => {},
): TransferSlots {
  const held = new Set<Held>()
  const waiting = new Set<Waiting>()
  const [slotsOf, usersOf, waitersOf] = [createTally(), createTally(), createTally()]
  const { minRate, windowMs } = limits
  const fullCredit = (minRate * windowMs) / 1000
  const everyMs = Math.min(tickMs, windowMs / 4)
  // For all that do not wait: whoever of them asks next gets the slot.
  const asked: Promised = { promisedAt: Number.NEGATIVE_INFINITY }
  let timer: NodeJS.Timeout | undefined
  let lastTick = 0

  const mostFor = (ownerId: ObjectId) => limits.atOnce + (slotsOf.of(ownerId) === 0 ? (limits.forNewcomers ?? 0) : 0)
  const hasSlots = (ownerId: ObjectId) => held.size < mostFor(ownerId) && slotsOf.of(ownerId) < limits.perOwner
  const isFree = ({ ownerId, item }: Transfer) => hasSlots(ownerId) && usersOf.of(item) < limits.perItem

  /** The transfers of which one must end before this one may start. */
  function inTheWay({ ownerId, item }: Transfer): readonly Held[] {
    if (usersOf.of(item) >= limits.perItem) return holding(item)
    const own = slotsOf.of(ownerId)
    if (own < limits.perOwner) return [...held].filter(({ transfer }) => slotsOf.of(transfer.ownerId) >= own)
    return [...held].filter(({ transfer }) => transfer.ownerId === ownerId)
  }

  function holding(item: string): readonly Held[] {
    return [...held].filter(({ transfer }) => transfer.item === item)
  }

  function refusal(): Problem {
    onRefuse()
    return tooMany()
  }

  function requireRoom(ownerId: ObjectId): void {
    const isLineFull = waiting.size >= limits.waiting || waitersOf.of(ownerId) >= limits.waitingPerOwner
    if (isLineFull && !hasSlots(ownerId)) throw refusal()
  }

  function end(one: Held, cause: EndCause): void {
    if (one.isEnding) return
    one.isEnding = true
    one.transfer.end(cause)
  }

  /** Ends the slowest of the blocking transfers, if it is slow enough. */
  function makeRoom(transfer: Transfer, promised: Promised, now: number): void {
    if (now - promised.promisedAt < promiseMs) return
    const slow = inTheWay(transfer).filter(
      (one) => !one.isEnding && one.rate < limits.safeRate && now - one.since >= limits.graceMs,
    )
    const [first, ...others] = slow
    if (!first) return
    promised.promisedAt = now
    end(
      others.reduce((slowest, one) => (one.rate < slowest.rate ? one : slowest), first),
      'gave_way',
    )
  }

  function tick(): void {
    const now = performance.now()
    const seconds = (now - lastTick) / 1000
    lastTick = now
    for (const one of held) measure(one, seconds, now)
    for (const one of waiting) makeRoom(one.transfer, one, now)
  }

  function measure(one: Held, seconds: number, now: number): void {
    const moved = one.transfer.moved()
    const came = moved - one.seen
    one.seen = moved
    if (!one.transfer.isHeldUp()) {
      one.credit -= minRate * seconds
      one.rate += (came / seconds - one.rate) * smoothing
    }
    one.credit = Math.min(fullCredit, one.credit + came)
    if (one.credit <= 0) end(one, 'too_slow')
    else if (limits.maxMs !== undefined && now - one.since > limits.maxMs) end(one, 'too_long')
  }

  function count({ ownerId, item }: Transfer, change: 1 | -1): void {
    slotsOf.add(ownerId, change)
    usersOf.add(item, change)
    onChange(held.size)
  }

  function hold(transfer: Transfer): () => void {
    const now = performance.now()
    const seen = transfer.moved()
    const one: Held = { transfer, since: now, seen, credit: fullCredit, rate: minRate, isEnding: false }
    held.add(one)
    count(transfer, 1)
    if (!timer) {
      lastTick = now
      timer = setInterval(tick, everyMs)
      timer.unref()
    }
    return () => {
      if (!held.delete(one)) return
      count(transfer, -1)
      admitNext()
      if (held.size === 0) {
        clearInterval(timer)
        timer = undefined
      }
    }
  }

  /** Admits waiting transfers that now get a slot: owners with few slots first, then in order of arrival. */
  function admitNext(): void {
    for (;;) {
      const [first, ...others] = [...waiting].filter(({ transfer }) => isFree(transfer))
      if (!first) return
      const slots = ({ transfer }: Waiting) => slotsOf.of(transfer.ownerId)
      others.reduce((best, one) => (slots(one) < slots(best) ? one : best), first).admit()
    }
  }

  /** A sender that reconnects may be faster than the notice that its old connection has closed. */
  async function untilLeft({ item }: Transfer, signal: AbortSignal): Promise<void> {
    for (let looks = 0; looks < 10 && usersOf.of(item) > 0; looks += 1) await pause(lookMs, undefined, { signal })
  }

  function refuseIfBusy({ item }: Transfer): void {
    if (!limits.itemIsExclusive) return
    const users = holding(item)
    const isWaitedFor = [...waiting].some(({ transfer }) => transfer.item === item)
    if (isWaitedFor || users.some((one) => !hasStalled(one))) throw new Problem('form_busy')
    for (const one of users) end(one, 'gave_way')
  }

  // The sender may have lost the connection without our knowledge, and reconnected.
  function hasStalled({ transfer, seen, rate, isEnding }: Held): boolean {
    return isEnding || (!transfer.isHeldUp() && transfer.moved() === seen && rate < minRate)
  }

  function wait(transfer: Transfer, signal: AbortSignal): Promise<() => void> {
    const { ownerId } = transfer
    if (waiting.size >= limits.waiting || waitersOf.of(ownerId) >= limits.waitingPerOwner) throw refusal()
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const leave = () => {
      clearTimeout(timeout)
      signal.removeEventListener('abort', onAbort)
      if (waiting.delete(one)) waitersOf.add(ownerId, -1)
    }
    const giveUp = (reason: unknown) => {
      leave()
      reject(reason)
    }
    const onAbort = () => giveUp(signal.reason)
    const timeout = setTimeout(() => giveUp(refusal()), limits.waitMs)
    const admit = () => {
      leave()
      resolve(hold(transfer))
    }
    const one: Waiting = { transfer, promisedAt: Number.NEGATIVE_INFINITY, admit }
    signal.addEventListener('abort', onAbort)
    waiting.add(one)
    waitersOf.add(ownerId, 1)
    makeRoom(transfer, one, performance.now())
    return promise
  }

  return {
    get size() {
      return held.size
    },
    requireRoom,
    async enter(transfer, signal) {
      signal.throwIfAborted()
      if (limits.itemIsExclusive && usersOf.of(transfer.item) > 0) await untilLeft(transfer, signal)
      refuseIfBusy(transfer)
      return isFree(transfer) ? hold(transfer) : wait(transfer, signal)
    },
    tryEnter(transfer) {
      if (isFree(transfer)) {
        asked.promisedAt = Number.NEGATIVE_INFINITY
        return hold(transfer)
      }
      makeRoom(transfer, asked, performance.now())
      return undefined
    },
  }
}

function tooMany(): Problem {
  return new Problem('rate_limited', {
    msg: 'Too many files are being transferred at once. Try again after the seconds in Retry-After, or transfer fewer files in parallel.',
  })
}
