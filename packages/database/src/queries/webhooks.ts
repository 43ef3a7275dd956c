import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** Why the service disabled a webhook. */
export type DisabledReason = 'gone' | 'failing'

/** A stored webhook. */
export interface WebhookRecord {
  readonly id: ObjectId
  readonly ownerId: ObjectId
  /** `jobs` represents the `webhook_url` of jobs: it has no URL itself. */
  readonly kind: 'own' | 'jobs'
  readonly events: readonly string[]
  readonly description: string | null
  readonly enabled: boolean
  readonly disabledReason: DisabledReason | null
  /** Hex: the URL and the secrets, sealed for the id. */
  readonly sealed: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

const columns = `id, owner_id as "ownerId", kind, events, description, enabled, disabled_reason as "disabledReason",
  sealed, created_at as "createdAt", updated_at as "updatedAt"`

/**
 * Adds a webhook. An owner has only one of the kind `jobs`, and an existing one stays. Returns whether it was added.
 */
export async function insertWebhook(db: Executor, webhook: WebhookRecord): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into webhooks (id, owner_id, kind, events, description, enabled, sealed, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8, $9)
     on conflict (owner_id) where kind = 'jobs' do nothing`,
    [
      bytes(webhook.id),
      bytes(webhook.ownerId),
      webhook.kind,
      webhook.events,
      webhook.description,
      webhook.enabled,
      webhook.sealed,
      webhook.createdAt,
      webhook.updatedAt,
    ],
  )
  return rowCount === 1
}

/** Records whether an owner has any webhooks. */
export async function noteWebhooks(db: Executor, ownerId: ObjectId): Promise<void> {
  await db.query(
    `update owners o set has_webhooks = exists (select from webhooks w where w.owner_id = o.id) where o.id = $1`,
    [bytes(ownerId)],
  )
}

/** How many webhooks with their own URL an owner has. */
export async function countWebhooks(tx: Executor, ownerId: ObjectId): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from webhooks where owner_id = $1 and kind = 'own'`,
    [bytes(ownerId)],
  )
  return rows[0]?.count ?? 0
}

/** All webhooks of an owner, newest first. */
export async function listWebhooks(db: Executor, ownerId: ObjectId): Promise<readonly WebhookRecord[]> {
  const { rows } = await db.query<WebhookRecord>(
    `select ${columns} from webhooks where owner_id = $1 order by id desc`,
    [bytes(ownerId)],
  )
  return rows
}

export interface OwnedWebhook {
  readonly ownerId: ObjectId
  readonly id: ObjectId
}

export async function findWebhook(db: Executor, { ownerId, id }: OwnedWebhook): Promise<WebhookRecord | undefined> {
  const { rows } = await db.query<WebhookRecord>(`select ${columns} from webhooks where id = $1 and owner_id = $2`, [
    bytes(id),
    bytes(ownerId),
  ])
  return rows[0]
}

/** Same, locked until the end of the transaction. */
export async function lockWebhook(tx: Executor, { ownerId, id }: OwnedWebhook): Promise<WebhookRecord | undefined> {
  const { rows } = await tx.query<WebhookRecord>(
    `select ${columns} from webhooks where id = $1 and owner_id = $2 for no key update`,
    [bytes(id), bytes(ownerId)],
  )
  return rows[0]
}

/** The webhook that represents the `webhook_url` of an owner's jobs. */
export async function findJobsWebhook(db: Executor, ownerId: ObjectId): Promise<WebhookRecord | undefined> {
  const { rows } = await db.query<WebhookRecord>(
    `select ${columns} from webhooks where owner_id = $1 and kind = 'jobs'`,
    [bytes(ownerId)],
  )
  return rows[0]
}

export type WebhookUpdate = Pick<
  WebhookRecord,
  'id' | 'events' | 'description' | 'enabled' | 'disabledReason' | 'sealed' | 'updatedAt'
>

/** Writes a changed webhook; enabling it resets its count of failed deliveries. */
export async function updateWebhook(tx: Executor, webhook: WebhookUpdate): Promise<void> {
  await tx.query(
    `update webhooks
        set events = $2, description = $3, enabled = $4, disabled_reason = $5, sealed = decode($6, 'hex'), updated_at = $7,
            exhausted = case when $4 and not enabled then 0 else exhausted end
      where id = $1`,
    [
      bytes(webhook.id),
      webhook.events,
      webhook.description,
      webhook.enabled,
      webhook.disabledReason,
      webhook.sealed,
      webhook.updatedAt,
    ],
  )
}

export async function deleteWebhook(tx: Executor, { ownerId, id }: OwnedWebhook): Promise<boolean> {
  const { rowCount } = await tx.query(`delete from webhooks where id = $1 and owner_id = $2`, [
    bytes(id),
    bytes(ownerId),
  ])
  return rowCount === 1
}

/** Disables a webhook for one of the service's reasons. Returns whether it was enabled. */
export async function disableWebhook(
  tx: Executor,
  { id, reason, now }: { readonly id: ObjectId; readonly reason: DisabledReason; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update webhooks set enabled = false, disabled_reason = $2, updated_at = $3 where id = $1 and enabled`,
    [bytes(id), reason, now],
  )
  return rowCount === 1
}

/** Counts a delivery for which every attempt failed, and returns how many there were in a row. */
export async function countExhausted(tx: Executor, id: ObjectId): Promise<number> {
  const { rows } = await tx.query<{ exhausted: number }>(
    `update webhooks set exhausted = exhausted + 1 where id = $1 returning exhausted`,
    [bytes(id)],
  )
  return rows[0]?.exhausted ?? 0
}

/** Resets the count of failed deliveries in a row after a successful one. */
export async function forgetExhausted(db: Executor, id: ObjectId): Promise<void> {
  await db.query(`update webhooks set exhausted = 0 where id = $1 and exhausted > 0`, [bytes(id)])
}

/** A sealed value, and the id it is sealed for. */
export interface SealedWebhook {
  readonly id: ObjectId
  readonly sealed: string
}

/** Webhooks in the order of their ids, after the given one. */
export async function findSealedWebhooks(
  db: Executor,
  { after, limit }: { readonly after: ObjectId; readonly limit: number },
): Promise<readonly SealedWebhook[]> {
  const { rows } = await db.query<SealedWebhook>(`select id, sealed from webhooks where id > $1 order by id limit $2`, [
    bytes(after),
    limit,
  ])
  return rows
}

/** Replaces the sealed value, if it is still the one that was read. */
export async function replaceWebhookSeal(db: Executor, { id, sealed }: SealedWebhook, resealed: string): Promise<void> {
  await db.query(`update webhooks set sealed = decode($3, 'hex') where id = $1 and sealed = decode($2, 'hex')`, [
    bytes(id),
    sealed,
    resealed,
  ])
}
