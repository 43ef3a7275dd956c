import { admitOldest, type Dispatchable, type Executor, updateOwner } from '@lathe/database'
import { firstIdAt, type ObjectId, oldestWithFilesAt } from '@lathe/domain'
import type { SlotPlan } from './plan-slots.ts'

/** What a transaction changed for an owner's tasks. */
export interface Admission {
  readonly ownerId: ObjectId
  readonly plan: SlotPlan
  readonly now: Date
  readonly takenMs?: number
  /** The change in the number of its open tasks. */
  readonly opened?: number
}

/** Writes the owner's counters and gives free slots to the backlog. The caller must have locked the owner. */
export async function admit(
  tx: Executor,
  { ownerId, plan, now, takenMs = 0, opened = 0 }: Admission,
): Promise<readonly Dispatchable[]> {
  const admitted = plan.free > 0 ? await admitOldest(tx, { ownerId, limit: plan.free, since: oldestRunnable(now) }) : []
  await updateOwner(tx, {
    id: ownerId,
    slotsUsed: plan.slotsUsed + admitted.length,
    backlog: plan.backlog - admitted.length,
    takenMs,
    opened,
  })
  return ranked(admitted, plan.slotsUsed)
}

/** Ranks tasks that got slots one after the other, for an owner with `slotsBefore` slots in use before. */
export function ranked<T extends object>(
  granted: readonly T[],
  slotsBefore: number,
): (T & { readonly rank: number })[] {
  return granted.map((task, i) => ({ ...task, rank: slotsBefore + i + 1 }))
}

/** Tasks older than this have ended or are about to: their files are gone. The margin covers a slow expiry. */
export function oldestRunnable(now: Date): ObjectId {
  return firstIdAt(new Date(oldestWithFilesAt(now).getTime() - 3_600_000))
}
