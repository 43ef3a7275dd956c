import { findJobWebhook, findWebhook, type WebhookRecord } from '@lathe/database'
import { SealingKeyMissing } from '@lathe/runtime'
import { openContents, signingSecrets } from './contents.ts'
import { pingType } from './deliveries.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import type { ReadyDelivery } from './take-due.ts'

/** Where a delivery goes and what it is signed with; or why it cannot be sent now or ever. */
export type Target =
  | {
      readonly kind: 'target'
      readonly webhook: WebhookRecord
      readonly url: string
      readonly secrets: readonly string[]
    }
  | { readonly kind: 'never'; readonly reason: string }
  | { readonly kind: 'not-now'; readonly webhook: WebhookRecord; readonly reason: string }

/** Uses the current webhook: it may have been changed, disabled or deleted since the event. */
export async function findTarget(parts: DeliveryParts, delivery: ReadyDelivery): Promise<Target> {
  const { database, sealer, clock } = parts
  const webhook = await findWebhook(database.pool, { ownerId: delivery.ownerId, id: delivery.webhookId })
  if (!webhook) return { kind: 'never', reason: 'The webhook was deleted.' }
  if (!webhook.enabled && delivery.type !== pingType) return { kind: 'never', reason: 'The webhook was disabled.' }
  try {
    const contents = openContents(sealer, webhook)
    const url = webhook.kind === 'own' ? contents.url : await addressOfJob(parts, delivery)
    if (url === null) return { kind: 'never', reason: 'The job has no webhook_url any more.' }
    return { kind: 'target', webhook, url, secrets: signingSecrets(contents, clock.now()) }
  } catch (error) {
    if (!(error instanceof SealingKeyMissing)) throw error
    return { kind: 'not-now', webhook, reason: 'The address and the secret cannot be opened at present.' }
  }
}

async function addressOfJob({ database, sealer }: DeliveryParts, { subjectId }: ReadyDelivery): Promise<string | null> {
  const found = subjectId === null ? undefined : await findJobWebhook(database.pool, subjectId)
  return found ? sealer.open(found.sealed, found.jobId) : null
}
