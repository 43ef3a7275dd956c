import type { LockedOwner } from '@lathe/database'
import { type Effects, isOpen, type ObjectId, type TaskStatus } from '@lathe/domain'

/** The parts of a task that matter for slots. */
interface Placed {
  readonly id: ObjectId
  readonly status: TaskStatus
  readonly pending: number
  readonly slot: boolean
}

export interface SlotPlan {
  /** Ready tasks that get a slot immediately. */
  readonly granted: ReadonlySet<ObjectId>
  /** The owner's counters afterwards, before the backlog gets slots. */
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
 * Decides who gets which slot after some moves. Freed slots go to the owner's oldest ready tasks. Only if there is no
 * backlog do newly ready tasks take them directly, which saves a query of the backlog.
 */
export function planSlots(owner: LockedOwner, tasks: readonly Placed[], { moves, waiting }: Effects): SlotPlan {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const ended = moves.flatMap(({ id, to }) => (isOpen(to) ? [] : (byId.get(id) ?? [])))
  // `admitOwner` corrects a wrong counter; until then it must not keep a task from ending.
  const slotsUsed = Math.max(0, owner.slotsUsed - ended.filter(({ slot }) => slot).length)
  const backlog = Math.max(0, owner.backlog - ended.filter(isBacklog).length)
  const moved = new Set(moves.map(({ id }) => id))
  const ready = [...waiting].filter(([id, pending]) => pending === 0 && !moved.has(id)).map(([id]) => id)
  return grant({ ...owner, slotsUsed, backlog }, ready.sort())
}

/** Gives slots to newly ready tasks, in order, unless older ones are waiting. */
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
