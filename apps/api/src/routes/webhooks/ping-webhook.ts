import { parseId } from '@lathe/contract'
import { pingWebhook } from '@lathe/webhooks'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { WebhookServices } from './answers.ts'
import { queueDelivery } from './queue-delivery.ts'

/** POST /v1/webhooks/{webhookId}/ping. */
export function pingWebhookRoute(app: FastifyInstance, services: WebhookServices): void {
  app.route({
    ...endpoint('pingWebhook'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'webhookId'), 'webhookId')
      const { ownerId } = callerOf(request)
      return queueDelivery(services, request, reply, {
        webhookId: id,
        queue: (tx) => pingWebhook(tx, services, { ownerId, id }),
      })
    },
  })
}
