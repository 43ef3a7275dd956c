import type { LockedOwner } from '@lathe/database'
import { type Effects, isOpen, type ObjectId, type TaskStatus } from '@lathe/domain'

/** A task as far as slots are concerned. */
interface Placed {
  readonly id: ObjectId
  readonly status: TaskStatus
  readonly pending: number
  readonly slot: boolean
}

export interface SlotPlan {
  /** Ready tasks that get a slot at once. */
  readonly granted: ReadonlySet<ObjectId>
  /** The owner's counters afterwards, before anything is taken from the backlog. */
  readonly slotsUsed: number
  readonly backlog: number
  /** How many slots the backlog may take: its tasks are not known here. */
  readonly free: number
}

/** Whether a task is ready and has no slot yet. */
function isBacklog({ status, pending, slot }: Placed): boolean {
  return status === 'created' && pending === 0 && !slot
}

/**
 * Who gets which slot after some moves. Freed slots go to the owner's oldest ready tasks; only when
 * nobody waits do newly ready tasks take them directly, which spares a look at the backlog.
 */
export function planSlots(owner: LockedOwner, tasks: readonly Placed[], { moves, waiting }: Effects): SlotPlan {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const ended = moves.flatMap(({ id, to }) => (isOpen(to) ? [] : (byId.get(id) ?? [])))
  // A counter that went wrong is put right by `admitOwner`; until then it must not keep a task from its end.
  const slotsUsed = Math.max(0, owner.slotsUsed - ended.filter(({ slot }) => slot).length)
  const backlog = Math.max(0, owner.backlog - ended.filter(isBacklog).length)
  const moved = new Set(moves.map(({ id }) => id))
  const ready = [...waiting].filter(([id, pending]) => pending === 0 && !moved.has(id)).map(([id]) => id)
  return grant({ ...owner, slotsUsed, backlog }, ready.sort())
}

/** Gives slots to newly ready tasks, in their order, unless older ones are waiting. */
export function grant(owner: LockedOwner, ready: readonly ObjectId[]): SlotPlan {
  const free = Math.max(0, owner.slots - owner.slotsUsed)
  const granted = owner.backlog === 0 ? ready.slice(0, free) : []
  const backlog = owner.backlog + ready.length - granted.length
  return {
    granted: new Set(granted),
    slotsUsed: owner.slotsUsed + granted.length,
    backlog,
    free: Math.min(backlog, free - granted.length),
  }
}
