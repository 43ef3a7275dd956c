import { setTimeout as pause } from 'node:timers/promises'
import { type ObjectId, slowestTransfer } from '@lathe/domain'
import type { Gate } from '@lathe/queue'
import { createTransferSlots, type EndCause, type TransferLimits } from '@lathe/runtime'

/** The slot of an import or export. It measures how fast the other side sends or takes bytes. */
export interface TransferSlot extends Disposable {
  readonly pace: TransferPace
  /** Aborted when the other side is too slow, or too slow while others wait. */
  readonly signal: AbortSignal
  /** Why it was aborted. */
  readonly endedBy: EndCause | undefined
}

/** Tells the time that the other side takes from the time that we take. */
export interface TransferPace {
  /** Passes on the bytes of a file that the other side sends. */
  receive(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** Passes on our own bytes, which the other side takes. */
  send(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** Runs work of ours, for which the other side waits. */
  during<T>(work: () => Promise<T>): Promise<T>
}

const KiB = 1024

// A directory of many small files takes a request for each of them: each counts for a second.
const bytesPerFile = slowestTransfer.bytesPerSecond
// A transfer this fast keeps its slot even if others wait.
const safeRate = 128 * KiB
const graceMs = 10_000
// While all slots are taken, the queue is checked this often for owners that have none here, and for slow transfers.
const lookMs = 50

/** The limits of the imports and exports of a worker. */
export function transferLimits(atOnce: number): TransferLimits {
  return {
    ...{ atOnce, perOwner: Number.POSITIVE_INFINITY, perItem: Number.POSITIVE_INFINITY, forNewcomers: atOnce },
    // Entries without a slot wait in the queue.
    ...{ waiting: 0, waitingPerOwner: 0, waitMs: 0 },
    ...{ minRate: slowestTransfer.bytesPerSecond, windowMs: slowestTransfer.behindMs, safeRate, graceMs },
  }
}

/** The gate of imports and exports. */
export function createTransferGate(limits: TransferLimits, isPaused = () => false): Gate<TransferSlot> {
  const slots = createTransferSlots(limits)
  const waiting = new Set<() => void>()
  const change = () => new Promise<void>((resolve) => waiting.add(resolve))

  function notifyChange(): void {
    for (const wake of waiting) wake()
    waiting.clear()
  }

  return {
    enter(_, ownerId: ObjectId = 'unknown') {
      if (isPaused()) return undefined
      const ending = new AbortController()
      const pace = createPace()
      let endedBy: EndCause | undefined
      const leave = slots.tryEnter({
        ...{ ownerId, item: ownerId, moved: pace.moved, isHeldUp: pace.isHeldUp },
        end(cause) {
          endedBy = cause
          ending.abort(new Error(`the transfer was ended: ${cause}`))
        },
      })
      if (!leave) return undefined
      return {
        pace,
        signal: ending.signal,
        get endedBy() {
          return endedBy
        },
        [Symbol.dispose]() {
          leave()
          notifyChange()
        },
      }
    },
    async untilOpen() {
      while (isPaused()) await pause(lookMs, undefined, { ref: false })
      if (slots.size < limits.atOnce) return
      await Promise.race([change(), pause(lookMs, undefined, { ref: false })])
    },
  }
}

/** Measures one transfer. */
export function createPace() {
  let moved = 0
  let heldUp = 0
  return {
    moved: () => moved,
    isHeldUp: () => heldUp > 0,
    async *receive(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      moved += bytesPerFile
      for await (const chunk of source) {
        moved += chunk.length
        heldUp += 1
        try {
          yield chunk
        } finally {
          heldUp -= 1
        }
      }
    },
    async *send(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      moved += bytesPerFile
      const chunks = content[Symbol.asyncIterator]()
      try {
        for (;;) {
          heldUp += 1
          const { done, value } = await chunks.next().finally(() => {
            heldUp -= 1
          })
          if (done) return
          yield value
          moved += value.length
        }
      } finally {
        await chunks.return?.()
      }
    },
    async during<T>(work: () => Promise<T>): Promise<T> {
      heldUp += 1
      try {
        return await work()
      } finally {
        heldUp -= 1
      }
    },
  }
}
