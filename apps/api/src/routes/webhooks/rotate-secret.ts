import { parseId } from '@lathe/contract'
import { oncePerKey } from '@lathe/orchestrator'
import { rotateSecret } from '@lathe/webhooks'
import type { FastifyInstance } from 'fastify'
import { actorOf } from '../../audit-actor.ts'
import { idempotencyOf } from '../../creation.ts'
import { requireNoBody } from '../../http/body.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import { sendWithSecret, type WebhookServices } from './answers.ts'

/** POST /v1/webhooks/{webhookId}/rotate-secret. */
export function rotateSecretRoute(app: FastifyInstance, services: WebhookServices): void {
  app.route({
    ...endpoint('rotateWebhookSecret'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'webhookId'), 'webhookId')
      requireNoBody(request.body)
      const caller = callerOf(request)
      const { ownerId } = caller
      const idempotency = idempotencyOf(request)
      const answer = await services.database.transaction((tx) =>
        oncePerKey(tx, services, caller, idempotency, async () => {
          const rotated = await rotateSecret(tx, services, { ownerId, id })
          await services.audit(tx, actorOf(request), { action: 'webhook.secret_changed', subjectId: id })
          return rotated
        }),
      )
      return sendWithSecret(services, reply, { answer, status: 200, ownerId })
    },
  })
}
