import type { Fence } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'

interface Held {
  readonly fence: Fence
  claimed: boolean
  readonly stop: AbortController
}

/** The tasks that this process works on, and the way to stop each. */
export interface Leases {
  hold(fence: Fence): Lease
  /** Stops the run of a task, if it runs here. */
  stop(taskId: ObjectId): void
  stopAll(): void
  readonly fences: readonly Fence[]
  /** Those whose claim the database has confirmed. */
  readonly claimed: readonly Fence[]
}

/** One task that this process holds, from before it is claimed until its run is over. */
export interface Lease extends Disposable {
  readonly signal: AbortSignal
  /** Notes that the claim was answered: from now on the database can revoke the task. */
  noteClaim(): void
}

export function createLeases(): Leases {
  const held = new Set<Held>()
  const stop = (lease: Held) => lease.stop.abort(new Error('the task was taken away'))
  return {
    hold(fence) {
      const lease: Held = { fence, claimed: false, stop: new AbortController() }
      held.add(lease)
      return {
        signal: lease.stop.signal,
        noteClaim() {
          lease.claimed = true
        },
        [Symbol.dispose]: () => void held.delete(lease),
      }
    },
    stop(taskId) {
      for (const lease of held) if (lease.fence.taskId === taskId) stop(lease)
    },
    stopAll() {
      for (const lease of held) stop(lease)
    },
    get fences() {
      return [...held].map(({ fence }) => fence)
    },
    get claimed() {
      return [...held].filter(({ claimed }) => claimed).map(({ fence }) => fence)
    },
  }
}
