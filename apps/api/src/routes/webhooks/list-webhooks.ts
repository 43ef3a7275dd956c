import { listQuery, type RawQuery, readPage, toPage } from '@lathe/contract'
import { listWebhooks } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { pageOf } from '../../http/page-of.ts'
import { callerOf, endpoint } from '../../route-config.ts'
import { type WebhookServices, webhookView } from './answers.ts'

/** GET /v1/webhooks. */
export function listWebhooksRoute(app: FastifyInstance, services: WebhookServices): void {
  app.route({
    ...endpoint('listWebhooks'),
    handler: async (request) => {
      const paging = readPage(listQuery, request.query as RawQuery)
      const all = await listWebhooks(services.database.pool, callerOf(request).ownerId)
      const { docs, facts } = pageOf(all, paging)
      const views = docs.map((webhook) => webhookView(services, webhook))
      return { ...toPage(views, facts), webhooks: views }
    },
  })
}
