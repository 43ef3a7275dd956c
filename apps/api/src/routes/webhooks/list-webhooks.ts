import { listWebhooks } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint } from '../../route-config.ts'
import { type WebhookServices, webhookView } from './answers.ts'

/** GET /v1/webhooks. */
export function listWebhooksRoute(app: FastifyInstance, services: WebhookServices): void {
  app.route({
    ...endpoint('listWebhooks'),
    handler: async (request) => {
      const webhooks = await listWebhooks(services.database.pool, callerOf(request).ownerId)
      return { webhooks: webhooks.map((webhook) => webhookView(services, webhook)) }
    },
  })
}
