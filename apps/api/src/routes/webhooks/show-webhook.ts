import { parseId } from '@lathe/contract'
import { findWebhook } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import { type WebhookServices, webhookView } from './answers.ts'

/** GET /v1/webhooks/{webhookId}. */
export function showWebhookRoute(app: FastifyInstance, services: WebhookServices): void {
  app.route({
    ...endpoint('showWebhook'),
    handler: async (request) => {
      const id = parseId(pathParam(request, 'webhookId'), 'webhookId')
      const webhook = await findWebhook(services.database.pool, { ownerId: callerOf(request).ownerId, id })
      if (!webhook) throw new Problem('not_found')
      return webhookView(services, webhook)
    },
  })
}
