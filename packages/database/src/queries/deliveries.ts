import { type DeliveryStatus, firstIdAt, type ObjectId, retention } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type Page, type Paging, readPage } from './page.ts'

/** One delivery attempt. */
export interface DeliveryAttempt {
  readonly at: string
  /** The HTTP status of the response, if there was one. */
  readonly status: number | null
  readonly tookMs: number
  /** The beginning of the response body. */
  readonly answer?: string
  /** What went wrong, in our words. */
  readonly reason?: string
}

/** A delivery as the owner of its webhook may see it. */
export interface DeliveryRecord {
  readonly id: ObjectId
  readonly webhookId: ObjectId
  readonly eventId: ObjectId
  readonly type: string
  readonly subjectId: ObjectId | null
  readonly seq: number | null
  readonly taskId: ObjectId | null
  readonly status: DeliveryStatus
  readonly attempts: readonly DeliveryAttempt[]
  readonly reason: string | null
  readonly replayOf: ObjectId | null
  readonly dueAt: Date | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

const columns = `id, webhook_id as "webhookId", event_id as "eventId", type, subject_id as "subjectId", seq,
  task_id as "taskId", status, attempts, reason, replay_of as "replayOf", due_at as "dueAt",
  created_at as "createdAt", ended_at as "endedAt"`

/**
 * The statement that adds events of one owner and queues them for the webhooks that subscribe to them, so that an event
 * and its deliveries are written together or not at all. The id of a delivery is derived from the event and the
 * webhook: the second of the event and the end of its counter, so that they sort alike, then 48 bits that differ per
 * webhook.
 */
export function queueDeliveriesSql(insertEvents: string, ownerId: string): string {
  return `with inserted_events as (${insertEvents} returning subject_id, seq, id, type, task_id, created_at)
    insert into webhook_deliveries
      (id, webhook_id, owner_id, event_id, type, subject_id, seq, task_id, event_at, due_at, created_at)
    select substr(e.id, 1, 4) || substr(e.id, 11, 2) || substr(sha256(e.id || w.id), 1, 6),
           w.id, w.owner_id, e.id, e.type, e.subject_id, e.seq, e.task_id, e.created_at, e.created_at, e.created_at
      from webhooks w join inserted_events e on e.type = any(w.events)
     where w.owner_id = ${ownerId} and w.enabled
       and (w.kind = 'own' or exists (select from job_webhooks j where j.job_id = e.subject_id))`
}

export interface DeliveryInsert {
  readonly id: ObjectId
  readonly webhookId: ObjectId
  readonly ownerId: ObjectId
  readonly eventId: ObjectId
  readonly type: string
  readonly body: string
  readonly now: Date
  /** Set for an entry that is only logged and never sent. */
  readonly failedFor?: string
}

/** Queues, or only logs, a delivery that is not about a job or task: a test, or that the webhook was disabled. */
export async function insertDelivery(tx: Executor, delivery: DeliveryInsert): Promise<void> {
  const { failedFor, now } = delivery
  await tx.query(
    `insert into webhook_deliveries
       (id, webhook_id, owner_id, event_id, type, body, event_at, created_at, status, due_at, reason, ended_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11)`,
    [
      bytes(delivery.id),
      bytes(delivery.webhookId),
      bytes(delivery.ownerId),
      bytes(delivery.eventId),
      delivery.type,
      delivery.body,
      now,
      failedFor === undefined ? 'pending' : 'failed',
      failedFor === undefined ? now : null,
      failedFor ?? null,
      failedFor === undefined ? null : now,
    ],
  )
}

/** Queues a delivery again, under the same event id. Returns whether it exists. */
export async function insertReplay(
  tx: Executor,
  { id, of, webhookId, now }: { id: ObjectId; of: ObjectId; webhookId: ObjectId; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into webhook_deliveries
       (id, webhook_id, owner_id, event_id, type, subject_id, seq, task_id, event_at, body, erased_at, due_at, created_at, replay_of)
     select $1, webhook_id, owner_id, event_id, type, subject_id, seq, task_id, event_at, body, erased_at, $4, $4, id
       from webhook_deliveries where id = $2 and webhook_id = $3`,
    [bytes(id), bytes(of), bytes(webhookId), now],
  )
  return rowCount === 1
}

export interface OwnedDelivery {
  readonly webhookId: ObjectId
  readonly id: ObjectId
}

export async function findDelivery(
  db: Executor,
  { webhookId, id }: OwnedDelivery,
): Promise<DeliveryRecord | undefined> {
  const { rows } = await db.query<DeliveryRecord>(
    `select ${columns} from webhook_deliveries where id = $1 and webhook_id = $2`,
    [bytes(id), bytes(webhookId)],
  )
  return rows[0]
}

export interface DeliveryFilter extends Paging {
  readonly webhookId: ObjectId
  readonly now: Date
  readonly status?: DeliveryStatus
}

/** Deliveries of a webhook, newest first. */
export async function listDeliveries(db: Executor, filter: DeliveryFilter): Promise<Page<DeliveryRecord>> {
  const since = firstIdAt(new Date(filter.now.getTime() - retention.deliveryMs))
  const byStatus = filter.status === undefined ? [] : ['status = $2']
  return readPage<DeliveryRecord>(db, {
    table: 'webhook_deliveries',
    columns,
    key: 'id',
    where: ['webhook_id = $1', ...byStatus],
    // These partitions are daily, so there are few.
    slices: [{ from: since, to: 'f'.repeat(24) }],
    values: [bytes(filter.webhookId), ...(filter.status === undefined ? [] : [filter.status])],
    countKey: JSON.stringify(['deliveries', filter.webhookId, filter.status]),
    ...filter,
  })
}

/** Fails all pending deliveries of a webhook, or of the URL of one job. Deliveries under way end by themselves. */
export async function failPending(
  tx: Executor,
  { webhookId, subjectId, reason, now }: { webhookId: ObjectId; subjectId?: ObjectId; reason: string; now: Date },
): Promise<number> {
  const { rowCount } = await tx.query(
    `update webhook_deliveries set status = 'failed', reason = $3, due_at = null, ended_at = $4
      where webhook_id = $1 and status = 'pending' and lease is null and ($2::bytea is null or subject_id = $2)`,
    [bytes(webhookId), subjectId === undefined ? null : bytes(subjectId), reason, now],
  )
  return rowCount ?? 0
}
