import { maskPassword } from '../parse/to-payload.ts'
import type { Delivery, Webhook } from '../schemas/webhook-view.ts'
import { toIso } from './to-iso.ts'

/** What a view needs to know of a webhook. */
export interface WebhookFacts {
  readonly id: string
  /** In plain text. */
  readonly url: string | null
  readonly events: readonly string[]
  readonly description: string | null
  readonly enabled: boolean
  readonly disabledReason: Webhook['disabledReason']
  readonly oldSecretExpiresAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A webhook as it is shown: without its secret and without a password in its URL. */
export function toWebhookView(webhook: WebhookFacts): Webhook {
  return {
    id: webhook.id,
    url: webhook.url === null ? null : maskPassword(webhook.url),
    events: [...webhook.events] as Webhook['events'],
    description: webhook.description,
    enabled: webhook.enabled,
    disabledReason: webhook.disabledReason,
    oldSecretExpiresAt: toIso(webhook.oldSecretExpiresAt),
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  }
}

/** What a view needs to know of a delivery. */
export interface DeliveryFacts {
  readonly id: string
  readonly webhookId: string
  readonly eventId: string
  readonly type: string
  readonly subjectId: string | null
  readonly taskId: string | null
  readonly status: Delivery['status']
  readonly attempts: readonly Delivery['attempts'][number][]
  readonly reason: string | null
  readonly replayOf: string | null
  readonly dueAt: Date | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** A delivery as it is shown. */
export function toDeliveryView(delivery: DeliveryFacts): Delivery {
  const { subjectId, taskId } = delivery
  return {
    id: delivery.id,
    webhook: delivery.webhookId,
    event: { id: delivery.eventId, type: delivery.type },
    // Outside a job, events are numbered by the task itself.
    job: subjectId === taskId ? null : subjectId,
    task: taskId,
    status: delivery.status,
    attempts: [...delivery.attempts],
    reason: delivery.reason,
    nextTryAt: toIso(delivery.dueAt),
    replayOf: delivery.replayOf,
    createdAt: delivery.createdAt.toISOString(),
    endedAt: toIso(delivery.endedAt),
  }
}
