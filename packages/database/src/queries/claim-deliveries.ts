import type { DeliveryStatus, ObjectId } from '@lathe/domain'
import { bytes, manyBytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import type { DeliveryAttempt } from './deliveries.ts'
import { addAttemptSql } from './erase-deliveries.ts'

/** A claimed delivery. */
export interface ClaimedDelivery {
  readonly id: ObjectId
  readonly webhookId: ObjectId
  readonly ownerId: ObjectId
  readonly eventId: ObjectId
  readonly type: string
  readonly subjectId: ObjectId | null
  readonly seq: number | null
  readonly taskId: ObjectId | null
  readonly eventAt: Date
  readonly body: string | null
  readonly tries: number
  readonly lease: ObjectId
}

/**
 * Owners with due deliveries, in the order of their ids after the given one. Walks from owner to owner along the index,
 * so that an owner with a million deliveries takes as long as one with a single one. Each owner's first delivery is a
 * scalar subquery, because `exists` would be planned as a join with all pending deliveries.
 */
export async function findOwnersDue(
  tx: Executor,
  { after, now, limit }: { readonly after: ObjectId; readonly now: Date; readonly limit: number },
): Promise<readonly ObjectId[]> {
  const { rows } = await tx.query<{ id: ObjectId }>(
    `with recursive waiting as (
       (select owner_id as id from webhook_deliveries
         where status = 'pending' and owner_id > $1 order by owner_id limit 1)
       union all
       select (select d.owner_id from webhook_deliveries d
                where d.status = 'pending' and d.owner_id > w.id order by d.owner_id limit 1)
         from waiting w where w.id is not null
     )
     select w.id from waiting w
      where w.id is not null and (
        select d.due_at from webhook_deliveries d
         where d.status = 'pending' and d.owner_id = w.id and (d.lease is null or d.leased_until <= $2)
         order by d.due_at limit 1) <= $2
      limit $3`,
    [bytes(after), now, limit],
  )
  return rows.map(({ id }) => id)
}

/**
 * Keeps others from claiming for these owners until the transaction ends; leaves out owners that another process is
 * claiming for.
 */
export async function lockClaims(tx: Executor, owners: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  // The next statements must be planned for their values: a generic plan reads all pending deliveries (190 ms instead
  // of 10 ms for 100,000).
  await tx.query('set local plan_cache_mode = force_custom_plan')
  const { rows } = await tx.query<{ id: ObjectId }>(
    `select id from unnest($1::bytea[]) as o(id)
      where pg_try_advisory_xact_lock(hashtextextended('webhooks/' || encode(id, 'hex'), 0))`,
    [manyBytes(owners)],
  )
  return rows.map(({ id }) => id)
}

export interface DueOptions {
  readonly owners: readonly ObjectId[]
  readonly now: Date
  /** The most concurrent deliveries of one owner. */
  readonly perOwner: number
  readonly limit: number
}

/**
 * The deliveries that may be attempted now, one of every owner before any owner's second. The first attempts for one
 * job are sent one after another, in the order of its events; a delivery that has failed once blocks no other. The
 * check for an earlier one is a scalar subquery, because `not exists` would be planned as a join with all pending
 * deliveries, 100 ms for 100,000.
 */
export async function findDue(
  tx: Executor,
  { owners, now, perOwner, limit }: DueOptions,
): Promise<readonly ObjectId[]> {
  const { rows } = await tx.query<{ id: ObjectId }>(
    `select due.id
       from unnest($1::bytea[]) as o(id)
       cross join lateral (
         select chosen.id, row_number() over () as turn
           from (select d.id from webhook_deliveries d
                  where d.owner_id = o.id and d.status = 'pending' and d.due_at <= $2
                    and (d.lease is null or d.leased_until <= $2)
                    and (d.tries > 0 or d.subject_id is null or d.replay_of is not null or (
                      select e.seq from webhook_deliveries e
                       where e.subject_id = d.subject_id and e.seq < d.seq and e.webhook_id = d.webhook_id
                         and e.status = 'pending' and e.tries = 0 and e.replay_of is null limit 1) is null)
                  order by d.due_at, d.seq
                  limit greatest(0, $3 - (
                    select count(*) from webhook_deliveries b
                     where b.owner_id = o.id and b.lease is not null and b.leased_until > $2))) chosen
       ) due
      order by due.turn limit $4`,
    [manyBytes(owners), now, perOwner, limit],
  )
  return rows.map(({ id }) => id)
}

/** Claims deliveries until a time. */
export async function leaseDeliveries(
  tx: Executor,
  { ids, lease, until }: { readonly ids: readonly ObjectId[]; readonly lease: ObjectId; readonly until: Date },
): Promise<readonly ClaimedDelivery[]> {
  const { rows } = await tx.query<ClaimedDelivery>(
    `update webhook_deliveries set lease = $2, leased_until = $3
      where id = any($1::bytea[]) and status = 'pending'
      returning id, webhook_id as "webhookId", owner_id as "ownerId", event_id as "eventId", type,
        subject_id as "subjectId", seq, task_id as "taskId", event_at as "eventAt", body, tries, lease`,
    [manyBytes(ids), bytes(lease), until],
  )
  return rows
}

/** The result of an attempt, and what follows. */
export interface TryEnd {
  readonly id: ObjectId
  readonly lease: ObjectId
  readonly attempt: DeliveryAttempt | undefined
  readonly body: string | null
  readonly status: DeliveryStatus
  readonly reason: string | null
  readonly dueAt: Date | null
  readonly endedAt: Date | null
}

/**
 * Records an attempt. Returns whether the delivery was still claimed by us: if not, another process attempts it, and
 * records its own result.
 */
export async function recordTry(tx: Executor, end: TryEnd): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update webhook_deliveries
        set lease = null, leased_until = null, tries = tries + $3, attempts = ${addAttemptSql('$4::jsonb')},
            body = case when erased_at is null then coalesce(body, $5) end, status = $6, reason = $7, due_at = $8, ended_at = $9
      where id = $1 and lease = $2`,
    [
      bytes(end.id),
      bytes(end.lease),
      end.attempt ? 1 : 0,
      JSON.stringify(end.attempt ? [end.attempt] : []),
      end.body,
      end.status,
      end.reason,
      end.dueAt,
      end.endedAt,
    ],
  )
  return rowCount === 1
}

/** Releases deliveries whose attempt did not finish, so that others can claim them now. */
export async function releaseDeliveries(
  db: Executor,
  { ids, leases }: { readonly ids: readonly ObjectId[]; readonly leases: readonly ObjectId[] },
): Promise<void> {
  await db.query(
    `update webhook_deliveries set lease = null, leased_until = null
      where id = any($1::bytea[]) and lease = any($2::bytea[])`,
    [manyBytes(ids), manyBytes(leases)],
  )
}
