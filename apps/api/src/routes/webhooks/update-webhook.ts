import { parseId, parseWebhookChange } from '@lathe/contract'
import { changeWebhook } from '@lathe/webhooks'
import type { FastifyInstance } from 'fastify'
import { actorOf } from '../../audit-actor.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import { type WebhookServices, webhookView } from './answers.ts'

/** PATCH /v1/webhooks/{webhookId}. */
export function updateWebhookRoute(app: FastifyInstance, services: WebhookServices): void {
  const { database, checkAddress, audit } = services
  app.route({
    ...endpoint('updateWebhook'),
    handler: async (request) => {
      const id = parseId(pathParam(request, 'webhookId'), 'webhookId')
      const change = parseWebhookChange(request.body, checkAddress)
      const { ownerId } = callerOf(request)
      const webhook = await database.transaction(async (tx) => {
        const changed = await changeWebhook(tx, services, { ownerId, id }, change)
        // The URL may contain a secret, so only the names of changed fields are logged.
        const detail = { changed: Object.keys(change) }
        await audit(tx, actorOf(request), { action: 'webhook.changed', subjectId: id, detail })
        return changed
      })
      return webhookView(services, webhook)
    },
  })
}
