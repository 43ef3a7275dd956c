import type { Fence } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'

interface Held {
  readonly fence: Fence
  readonly stop: AbortController
}

/** The tasks this process is working on, and the way to stop each. */
export interface Leases {
  hold(fence: Fence): { readonly signal: AbortSignal } & Disposable
  /** Stops the run of a task, if it is here. */
  stop(taskId: ObjectId): void
  stopAll(): void
  readonly fences: readonly Fence[]
}

export function createLeases(): Leases {
  const held = new Set<Held>()
  const stop = (lease: Held) => lease.stop.abort(new Error('the task was taken away'))
  return {
    hold(fence) {
      const lease: Held = { fence, stop: new AbortController() }
      held.add(lease)
      return { signal: lease.stop.signal, [Symbol.dispose]: () => void held.delete(lease) }
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
  }
}
