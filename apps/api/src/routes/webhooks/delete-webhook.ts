import { parseId } from '@lathe/contract'
import { removeWebhook } from '@lathe/webhooks'
import type { FastifyInstance } from 'fastify'
import { actorOf } from '../../audit-actor.ts'
import { requireNoBody } from '../../http/body.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { WebhookServices } from './answers.ts'

/** DELETE /v1/webhooks/{webhookId}. */
export function deleteWebhookRoute(app: FastifyInstance, services: WebhookServices): void {
  app.route({
    ...endpoint('deleteWebhook'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'webhookId'), 'webhookId')
      requireNoBody(request.body)
      const { ownerId } = callerOf(request)
      await services.database.transaction(async (tx) => {
        await removeWebhook(tx, services, { ownerId, id })
        await services.audit(tx, actorOf(request), { action: 'webhook.deleted', subjectId: id })
      })
      return reply.code(200).send()
    },
  })
}
