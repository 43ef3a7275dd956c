import { parseId, parseWebhookChange } from '@lathe/contract'
import { changeWebhook } from '@lathe/events'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import { type WebhookServices, webhookView } from './answers.ts'

/** PATCH /v1/webhooks/{webhookId}. */
export function updateWebhookRoute(app: FastifyInstance, services: WebhookServices): void {
  const { database, checkAddress } = services
  app.route({
    ...endpoint('updateWebhook'),
    handler: async (request) => {
      const id = parseId(pathParam(request, 'webhookId'), 'webhookId')
      const change = parseWebhookChange(request.body, checkAddress)
      const { ownerId } = callerOf(request)
      const webhook = await database.transaction((tx) => changeWebhook(tx, services, { ownerId, id }, change))
      return webhookView(services, webhook)
    },
  })
}
