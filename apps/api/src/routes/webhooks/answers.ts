import { toWebhookView, type Webhook } from '@lathe/contract'
import { findWebhook, type WebhookRecord } from '@lathe/database'
import { secretOf, toWebhookFacts } from '@lathe/events'
import type { Answer } from '@lathe/orchestrator'
import type { FastifyReply } from 'fastify'
import { currentOf } from '../../creation.ts'
import type { Services } from '../../services.ts'

/** What the endpoints of webhooks work with. */
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

/** Sends a webhook with its secret: what was just made, or what the first of several same requests had made. */
export async function sendWithSecret(
  services: WebhookServices,
  reply: FastifyReply,
  { answer, status, ownerId }: SecretAnswer,
): Promise<FastifyReply> {
  const record = await currentOf(reply, answer, (id) => findWebhook(services.database.pool, { ownerId, id }))
  return reply.code(status).send({ ...webhookView(services, record), secret: secretOf(services, record) })
}
