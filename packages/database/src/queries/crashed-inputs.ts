import { type ObjectId, retention } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** The key under which engine crashes of an owner's content are counted. */
export interface CrashKey {
  readonly ownerId: ObjectId
  /** SHA-256 of the operation and its input contents, in hex. */
  readonly fingerprint: string
  readonly now: Date
}

const recentCrashes = `select crashes from crashed_inputs
  where day >= $3::date and owner_id = $1 and fingerprint = $2 and crashed_at > $4
  order by day desc limit 1`

/** How often this content has crashed an engine, if the last time was within 24 hours. */
export async function countCrashes(db: Executor, key: CrashKey): Promise<number> {
  const { rows } = await db.query<{ crashes: number }>(recentCrashes, toValues(key))
  return rows[0]?.crashes ?? 0
}

/**
 * Counts one more crash. It increments the row of the day, so that two concurrent crashes count as two; a new day
 * continues the last count.
 */
export async function addCrash(tx: Executor, key: CrashKey): Promise<void> {
  await tx.query(
    `insert into crashed_inputs (owner_id, fingerprint, day, crashed_at, crashes)
     values ($1, $2, $5::date, $6, 1 + coalesce((${recentCrashes}), 0))
     on conflict (day, owner_id, fingerprint) do update
        set crashes = crashed_inputs.crashes + 1, crashed_at = excluded.crashed_at`,
    [...toValues(key), dayOf(key.now), key.now],
  )
}

function toValues({ ownerId, fingerprint, now }: CrashKey): unknown[] {
  const since = new Date(now.getTime() - retention.recordMs)
  return [bytes(ownerId), bytes(fingerprint), dayOf(since), since]
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
