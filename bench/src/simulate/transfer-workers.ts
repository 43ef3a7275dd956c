import { priorityOf } from '@lathe/queue'
import { createHeap } from './heap.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** An import or export. */
export interface TransferTask {
  readonly transferMs: number
  readonly rank: number
  started(): void
  ended(): void
}

/** Workers that move bytes: `size` at once, in queue order. */
export function createTransferWorkers(clock: VirtualClock, size: number) {
  const queue = createHeap<TransferTask>()
  let free = size
  let isLost = false

  function pass(): void {
    while (free > 0 && queue.size > 0) {
      const task = queue.take() as TransferTask
      free -= 1
      task.started()
      clock.at(clock.now + task.transferMs, () => {
        if (isLost) return
        free += 1
        task.ended()
        pass()
      })
    }
  }

  return {
    add(task: TransferTask): void {
      queue.add(priorityOf(task.rank, clock.now), task)
      pass()
    },
    lose(): void {
      isLost = true
    },
  }
}
