import { toWebhookView, type Webhook } from '@lathe/contract'
import { findWebhook, type WebhookRecord } from '@lathe/database'
import type { Answer } from '@lathe/orchestrator'
import { secretOf, toWebhookFacts } from '@lathe/webhooks'
import type { FastifyReply } from 'fastify'
import { currentOf } from '../../creation.ts'
import type { Services } from '../../services.ts'

/** The services of the webhook endpoints. */
export type WebhookServices = Pick<
  Services,
  'database' | 'audit' | 'sealer' | 'ids' | 'clock' | 'checkAddress' | 'waiters' | 'counts'
>

/** A webhook as it is shown. */
export function webhookView(services: WebhookServices, webhook: WebhookRecord): Webhook {
  return toWebhookView(toWebhookFacts(services, webhook))
}

interface SecretAnswer {
  readonly answer: Answer<WebhookRecord>
  readonly status: number
  readonly ownerId: string
}

/**
 * Sends a webhook with its secret: the one just created, or the one that the first of several identical requests
 * created.
 */
export async function sendWithSecret(
  services: WebhookServices,
  reply: FastifyReply,
  { answer, status, ownerId }: SecretAnswer,
): Promise<FastifyReply> {
  const record = await currentOf(reply, answer, (id) => findWebhook(services.database.pool, { ownerId, id }))
  return reply.code(status).send({ ...webhookView(services, record), secret: secretOf(services, record) })
}
