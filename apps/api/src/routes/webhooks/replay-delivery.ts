import { parseId } from '@lathe/contract'
import { replayDelivery } from '@lathe/webhooks'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { WebhookServices } from './answers.ts'
import { queueDelivery } from './queue-delivery.ts'

/** POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay. */
export function replayDeliveryRoute(app: FastifyInstance, services: WebhookServices): void {
  app.route({
    ...endpoint('replayDelivery'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'webhookId'), 'webhookId')
      const deliveryId = parseId(pathParam(request, 'deliveryId'), 'deliveryId')
      const { ownerId } = callerOf(request)
      return queueDelivery(services, request, reply, {
        webhookId: id,
        queue: (tx) => replayDelivery(tx, services, { ownerId, id }, deliveryId),
      })
    },
  })
}
