import { releaseDeliveries } from '@lathe/database'
import { deliver } from './deliver.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import { type ReadyDelivery, type Round, takeDue } from './take-due.ts'

/** When one delivery ends, others may end soon: wait and ask for more work once for all of them. */
const gatherMs = 10

/**
 * Delivers what is due until it is disposed. Any number of processes may do this at the same time. Slow receivers do
 * not block others: an owner has a few slots, a process many, and every owner gets one before any gets a second.
 */
export function startDispatcher(parts: DeliveryParts): AsyncDisposable {
  const { limits, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Map<ReadyDelivery, Promise<void>>()
  const bell = createBell()

  async function run(delivery: ReadyDelivery): Promise<void> {
    try {
      await deliver(parts, delivery, signal)
    } catch (err) {
      // Nothing was recorded: the delivery stays claimed until its lease expires, then any process tries again.
      if (!signal.aborted) log.error({ err }, 'webhook delivery failed by an internal error')
    } finally {
      underWay.delete(delivery)
      bell.ring()
    }
  }

  async function takeMore(round: Round): Promise<number> {
    const places = limits.atOnce - underWay.size
    const taken = places > 0 ? await takeDue(parts, round, places) : []
    for (const delivery of taken) underWay.set(delivery, run(delivery))
    return taken.length
  }

  async function keepDelivering(): Promise<void> {
    const round: Round = { after: '' }
    while (!signal.aborted) {
      const wasBetween = round.after !== ''
      const taken = await takeMore(round).catch((err) => {
        log.warn({ err }, 'webhook deliveries not read')
        return 0
      })
      if (taken === 0 && !wasBetween) await bell.wait(limits.pollMs, signal)
    }
  }

  const delivering = keepDelivering()
  return {
    async [Symbol.asyncDispose]() {
      const left = [...underWay.keys()]
      stopping.abort()
      bell.ring()
      await delivering
      await Promise.all(underWay.values())
      const ids = left.map(({ id }) => id)
      const leases = [...new Set(left.map(({ lease }) => lease))]
      if (ids.length > 0) await releaseDeliveries(parts.database.pool, { ids, leases })
    },
  }
}

/** Waits for a time, or until `ring` is called. */
function createBell() {
  let wake = () => {}
  let rung = false
  return {
    ring() {
      rung = true
      setTimeout(() => wake(), gatherMs).unref()
    },
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, signal.aborted || rung ? gatherMs : ms).unref()
      })
      rung = false
      wake = () => {}
    },
  }
}
