import { advisoryLocks } from '../advisory-locks.ts'
import type { Database, Executor } from '../database.ts'

/** One scheduler's time as the leader. */
export interface Term {
  readonly epoch: number
  /** A name of this term alone: after a failover to an old replica, an epoch may be used again. */
  readonly holder: string
}

/** What a scheduler sees of the leader. As long as `renewals` grows, it is alive. */
export interface LeaderSeen {
  readonly epoch: number
  readonly holder: string | null
  readonly renewals: number
}

export async function findLeader(db: Executor): Promise<LeaderSeen | undefined> {
  const { rows } = await db.query<LeaderSeen>('select epoch, holder, renewals from leadership')
  return rows[0]
}

/**
 * Begins a new term if nobody has led since `seen` was read. Waits until the transactions of the term before have
 * ended; those that it begins later fail (`fenceOf`).
 */
export async function takeLead(
  database: Database,
  seen: LeaderSeen | undefined,
  holder: string,
): Promise<Term | undefined> {
  return database.transaction(async (tx) => {
    // A scheduler of a release before 0075 leads: it holds this lock for as long.
    const { rows: earlier } = await tx.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
      advisoryLocks.leader,
    ])
    if (!earlier[0]?.free) return undefined
    await tx.query('select pg_advisory_xact_lock($1)', [advisoryLocks.term])
    const { rows } = seen
      ? await tx.query<Term>(
          `update leadership set epoch = epoch + 1, holder = $1, renewals = 0
            where epoch = $2 and holder is not distinct from $3 and renewals = $4 returning epoch, holder`,
          [holder, seen.epoch, seen.holder, seen.renewals],
        )
      : await tx.query<Term>(
          `insert into leadership (epoch, holder, renewals) values (1, $1, 0) on conflict do nothing returning epoch, holder`,
          [holder],
        )
    return rows[0]
  })
}

/** Shows that the leader is alive. Returns false if another leads. */
export async function renewLead(db: Executor, { epoch, holder }: Term): Promise<boolean> {
  const { rowCount } = await db.query(
    'update leadership set renewals = renewals + 1 where epoch = $1 and holder = $2',
    [epoch, holder],
  )
  return rowCount === 1
}

/** Ends the term, so that another scheduler need not wait. */
export async function endLead(db: Executor, { epoch, holder }: Term): Promise<void> {
  await db.query('update leadership set holder = null where epoch = $1 and holder = $2', [epoch, holder])
}

/** The SQLSTATE of a transaction of a leader whose term has ended. */
export const termEnded = 'LT001'

/**
 * The beginning of every transaction of a leader: fails if its term has ended, and keeps the next one from beginning
 * before the transaction ends. So a leader that was frozen, for however long, changes nothing when it wakes.
 */
export function fenceOf({ epoch, holder }: Term): string {
  if (!Number.isSafeInteger(epoch) || !/^[\w./-]+$/.test(holder)) throw new Error(`not a term: ${epoch} ${holder}`)
  return `do $$ begin
    perform pg_advisory_xact_lock_shared(${advisoryLocks.term});
    if not exists (select from leadership where epoch = ${epoch} and holder = '${holder}') then
      raise exception 'this scheduler no longer leads' using errcode = '${termEnded}';
    end if;
  end $$`
}
