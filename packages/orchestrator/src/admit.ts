import { admitOldest, type Dispatchable, type Executor, updateOwner } from '@lathe/database'
import { firstIdAt, type ObjectId, oldestWithFilesAt } from '@lathe/domain'
import type { SlotPlan } from './plan-slots.ts'

/** Writes the owner's counters and lets the backlog take what is free. The caller holds the owner. */
export async function admit(
  tx: Executor,
  { ownerId, plan, now, takenMs = 0 }: { ownerId: ObjectId; plan: SlotPlan; now: Date; takenMs?: number },
): Promise<readonly Dispatchable[]> {
  const admitted = plan.free > 0 ? await admitOldest(tx, { ownerId, limit: plan.free, since: oldestRunnable(now) }) : []
  await updateOwner(tx, {
    id: ownerId,
    slotsUsed: plan.slotsUsed + admitted.length,
    backlog: plan.backlog - admitted.length,
    takenMs,
  })
  return admitted
}

/** Tasks older than this have ended or are about to: their files are gone. The margin covers a slow expiry. */
export function oldestRunnable(now: Date): ObjectId {
  return firstIdAt(new Date(oldestWithFilesAt(now).getTime() - 3_600_000))
}
