import { ensureJobsWebhook, secretOf } from '@lathe/events'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint } from '../../route-config.ts'
import { type WebhookServices, webhookView } from './answers.ts'

/** GET /v1/webhooks/secret. */
export function showJobsSecretRoute(app: FastifyInstance, services: WebhookServices): void {
  app.route({
    ...endpoint('showJobsSecret'),
    handler: async (request) => {
      const webhook = await ensureJobsWebhook(services.database, services, callerOf(request).ownerId)
      return { ...webhookView(services, webhook), secret: secretOf(services, webhook) }
    },
  })
}
