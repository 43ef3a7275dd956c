import { toWebhookView, type Webhook } from '@lathe/contract'
import { findWebhook, type WebhookRecord } from '@lathe/database'
import { secretOf, toWebhookFacts } from '@lathe/events'
import type { Answer } from '@lathe/orchestrator'
import type { FastifyReply } from 'fastify'
import { sendReplay } from '../../creation.ts'
import type { Services } from '../../services.ts'

/** What the endpoints of webhooks work with. */
export type WebhookServices = Pick<
  Services,
  'database' | 'sealer' | 'ids' | 'clock' | 'checkAddress' | 'waiters' | 'counts'
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
 * Sends a webhook with its secret. An answer that is kept for repeated requests holds no secret, for it is not sealed:
 * the secret is put in when it is sent again.
 */
export async function sendWithSecret(
  services: WebhookServices,
  reply: FastifyReply,
  { answer, status, ownerId }: SecretAnswer,
): Promise<FastifyReply> {
  if (answer.kind === 'fresh') {
    const { record } = answer
    return reply.code(status).send({ ...webhookView(services, record), secret: secretOf(services, record) })
  }
  const kept = answer.body as Webhook
  const webhook = await findWebhook(services.database.pool, { ownerId, id: kept.id })
  // Deleted meanwhile, it has none any more.
  const secret = webhook ? secretOf(services, webhook) : '***'
  return sendReplay(reply, { status: answer.status, body: { ...kept, secret } })
}
