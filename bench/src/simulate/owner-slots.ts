import { grant, ranked } from '@lathe/orchestrator'
import { createHeap } from './heap.ts'

/** A task that is ready to run once its owner has a slot. */
export interface ReadyTask {
  readonly id: string
  /** Older tasks get free slots first. */
  readonly age: number
  dispatch(rank: number): void
}

/** The slots of one owner in one cell, assigned by the service's own rule. */
export interface OwnerSlots {
  /** One of its tasks has ended and frees a slot, or others have become ready, or both. */
  settle(ended: 0 | 1, ready?: ReadyTask): void
}

export function createOwnerSlots(ownerId: string, slots: number): OwnerSlots {
  const backlog = createHeap<ReadyTask>()
  let slotsUsed = 0

  return {
    settle(ended, ready) {
      const before = slotsUsed - ended
      const owner = { id: ownerId, slots, slotsUsed: before, backlog: backlog.size, openTasks: 0, hasWebhooks: false }
      const plan = grant(owner, ready ? [ready.id] : [])
      const granted: ReadyTask[] = []
      if (ready && plan.granted.has(ready.id)) granted.push(ready)
      else if (ready) backlog.add(ready.age, ready)
      for (let n = 0; n < plan.free; n += 1) granted.push(backlog.take() as ReadyTask)
      slotsUsed = before + granted.length
      for (const { dispatch, rank } of ranked(granted, before)) dispatch(rank)
    },
  }
}
