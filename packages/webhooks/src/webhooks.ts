import { limits, type ParsedWebhook, type WebhookFacts } from '@lathe/contract'
import {
  countWebhooks,
  type Database,
  deleteWebhook,
  type Executor,
  failPending,
  findJobsWebhook,
  insertWebhook,
  lockOwner,
  lockWebhook,
  noteWebhooks,
  type OwnedWebhook,
  updateWebhook,
  type WebhookRecord,
} from '@lathe/database'
import { type IdMint, invalidField, type ObjectId, Problem, storedEventTypes } from '@lathe/domain'
import type { Clock, Sealer } from '@lathe/runtime'
import { type Contents, newSecret, oldSecretEnd, openContents, rotated, sealContents } from './contents.ts'

/** What the management of webhooks needs. */
export interface WebhookParts {
  readonly sealer: Sealer
  readonly ids: IdMint
  readonly clock: Clock
}

/** Creates a webhook, if the owner has fewer than the maximum. */
export async function createWebhook(
  tx: Executor,
  parts: WebhookParts,
  ownerId: ObjectId,
  { url, ...rest }: ParsedWebhook,
): Promise<WebhookRecord> {
  // Locked, so that two concurrent requests cannot both create the last one.
  await lockOwner(tx, ownerId)
  if ((await countWebhooks(tx, ownerId)) >= limits.webhooksPerOwner) {
    throw new Problem('invalid_request', {
      msg: `There are ${limits.webhooksPerOwner} webhooks, which is as many as there may be. Delete one first.`,
    })
  }
  const webhook = newWebhook(parts, { ...rest, ownerId, kind: 'own' }, { url, secret: newSecret() })
  await insertWebhook(tx, webhook)
  await noteWebhooks(tx, ownerId)
  return webhook
}

/** The webhook that represents the `webhook_url` of an owner's jobs; created when first needed. */
export async function ensureJobsWebhook(
  database: Database,
  parts: WebhookParts,
  ownerId: ObjectId,
): Promise<WebhookRecord> {
  const found = await findJobsWebhook(database.pool, ownerId)
  if (found) return found
  const made = newJobsWebhook(parts, ownerId)
  // If another request was faster, its secret counts.
  const isMade = await database.transaction(async (tx) => {
    // Locked first, as where a job is created: another order could end in a deadlock.
    await lockOwner(tx, ownerId)
    const inserted = await insertWebhook(tx, made)
    await noteWebhooks(tx, ownerId)
    return inserted
  })
  return isMade ? made : ensureJobsWebhook(database, parts, ownerId)
}

/** The webhook that represents the `webhook_url` of an owner's jobs, not written yet. */
export function newJobsWebhook(parts: WebhookParts, ownerId: ObjectId): WebhookRecord {
  const rest = { ownerId, kind: 'jobs', events: storedEventTypes, description: null, enabled: true } as const
  return newWebhook(parts, rest, { url: null, secret: newSecret() })
}

type NewWebhook = Pick<WebhookRecord, 'ownerId' | 'kind' | 'events' | 'description' | 'enabled'>

function newWebhook({ sealer, ids, clock }: WebhookParts, fields: NewWebhook, contents: Contents): WebhookRecord {
  const now = clock.now()
  const id = ids.next(now)
  const sealed = sealContents(sealer, id, contents)
  return { ...fields, id, disabledReason: null, sealed, createdAt: now, updatedAt: now }
}

/**
 * Changes the given fields. Disabling a webhook drops its pending deliveries; enabling it clears the reason why it was
 * disabled.
 */
export async function changeWebhook(
  tx: Executor,
  { sealer, clock }: WebhookParts,
  which: OwnedWebhook,
  { url, ...change }: Partial<ParsedWebhook>,
): Promise<WebhookRecord> {
  const before = await loadLocked(tx, which)
  if (url !== undefined && before.kind === 'jobs') {
    throw invalidField('url', 'cannot be set here: this webhook stands for the `webhook_url` of jobs.')
  }
  const contents = openContents(sealer, before)
  const sealed = url === undefined ? before.sealed : sealContents(sealer, before.id, { ...contents, url })
  const enabled = change.enabled ?? before.enabled
  const disabledReason = change.enabled === undefined ? before.disabledReason : null
  const now = clock.now()
  const after = { ...before, ...change, sealed, enabled, disabledReason, updatedAt: now }
  await updateWebhook(tx, after)
  if (before.enabled && !enabled) {
    await failPending(tx, { webhookId: before.id, reason: 'The webhook was disabled.', now })
  }
  return after
}

/** Creates a new secret. The previous one also signs for a day. */
export async function rotateSecret(
  tx: Executor,
  { sealer, clock }: WebhookParts,
  which: OwnedWebhook,
): Promise<WebhookRecord> {
  const before = await loadLocked(tx, which)
  const now = clock.now()
  const sealed = sealContents(sealer, before.id, rotated(openContents(sealer, before), now))
  const after = { ...before, sealed, updatedAt: now }
  await updateWebhook(tx, after)
  return after
}

/** Deletes a webhook and its pending deliveries. */
export async function removeWebhook(tx: Executor, { clock }: WebhookParts, which: OwnedWebhook): Promise<void> {
  if (!(await deleteWebhook(tx, which))) throw new Problem('not_found')
  await noteWebhooks(tx, which.ownerId)
  await failPending(tx, { webhookId: which.id, reason: 'The webhook was deleted.', now: clock.now() })
}

async function loadLocked(tx: Executor, which: OwnedWebhook): Promise<WebhookRecord> {
  const webhook = await lockWebhook(tx, which)
  if (!webhook) throw new Problem('not_found')
  return webhook
}

/** A webhook with its URL unsealed, for views. */
export function toWebhookFacts({ sealer, clock }: WebhookParts, webhook: WebhookRecord): WebhookFacts {
  const contents = openContents(sealer, webhook)
  return { ...webhook, url: contents.url, oldSecretExpiresAt: oldSecretEnd(contents, clock.now()) }
}

/** The current secret, for the one response that shows it. */
export function secretOf({ sealer }: WebhookParts, webhook: WebhookRecord): string {
  return openContents(sealer, webhook).secret
}
