import {
  type DeliveryRecord,
  type Executor,
  findDelivery,
  findWebhook,
  insertDelivery,
  insertReplay,
  type OwnedWebhook,
  type WebhookRecord,
} from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { WebhookParts } from './webhooks.ts'

/** The test event: sent on demand, about no job or task, and attempted once. */
export const pingType = 'webhook.ping'

/** Queues a test event, also for a disabled webhook. */
export async function pingWebhook(tx: Executor, parts: WebhookParts, which: OwnedWebhook): Promise<DeliveryRecord> {
  const webhook = await load(tx, which)
  if (webhook.kind === 'jobs') {
    throw new Problem('invalid_request', {
      msg: 'The webhook stands for the `webhook_url` of jobs: it has no address.',
    })
  }
  const now = parts.clock.now()
  const [id, eventId] = [parts.ids.next(now), parts.ids.next(now)]
  const body = JSON.stringify({
    id: eventId,
    type: pingType,
    createdAt: now.toISOString(),
    data: { webhook: which.id },
  })
  const { ownerId } = which
  await insertDelivery(tx, { id, webhookId: which.id, ownerId, eventId, type: pingType, body, now })
  return loadDelivery(tx, which.id, id)
}

/** Queues a delivery again. */
export async function replayDelivery(
  tx: Executor,
  { ids, clock }: WebhookParts,
  which: OwnedWebhook,
  of: ObjectId,
): Promise<DeliveryRecord> {
  const webhook = await load(tx, which)
  const former = await loadDelivery(tx, webhook.id, of)
  if (!webhook.enabled && former.type !== pingType) {
    throw new Problem('invalid_request', { msg: 'The webhook is disabled. Enable it with `enabled: true` first.' })
  }
  if (former.type === disabledType) {
    throw new Problem('invalid_request', { msg: 'This is a note of the log and was never meant to be sent.' })
  }
  const now = clock.now()
  const id = ids.next(now)
  await insertReplay(tx, { id, of, webhookId: webhook.id, now })
  return loadDelivery(tx, webhook.id, id)
}

/** The entry in the delivery log for a webhook that the service disabled. */
export const disabledType = 'webhook.disabled'

async function load(tx: Executor, which: OwnedWebhook): Promise<WebhookRecord> {
  const webhook = await findWebhook(tx, which)
  if (!webhook) throw new Problem('not_found')
  return webhook
}

async function loadDelivery(tx: Executor, webhookId: ObjectId, id: ObjectId): Promise<DeliveryRecord> {
  const delivery = await findDelivery(tx, { webhookId, id })
  if (!delivery) throw new Problem('not_found')
  return delivery
}
