import { deliveriesQuery, parseId, type RawQuery, readPage, toDeliveryView, toPage } from '@lathe/contract'
import { findWebhook, listDeliveries } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { WebhookServices } from './answers.ts'

/** GET /v1/webhooks/{webhookId}/deliveries. */
export function listDeliveriesRoute(app: FastifyInstance, { database, clock, counts }: WebhookServices): void {
  app.route({
    ...endpoint('listDeliveries'),
    handler: async (request) => {
      const webhookId = parseId(pathParam(request, 'webhookId'), 'webhookId')
      const { page, ...filter } = readPage(deliveriesQuery, request.query as RawQuery)
      const webhook = await findWebhook(database.pool, { ownerId: callerOf(request).ownerId, id: webhookId })
      if (!webhook) throw new Problem('not_found')
      const { docs, ...place } = await listDeliveries(database.pool, { webhookId, now: clock.now(), counts, ...filter })
      return toPage(docs.map(toDeliveryView), { ...place, page, limit: filter.limit })
    },
  })
}
