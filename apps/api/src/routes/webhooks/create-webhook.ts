import { parseWebhook } from '@lathe/contract'
import { oncePerKey } from '@lathe/orchestrator'
import { createWebhook } from '@lathe/webhooks'
import type { FastifyInstance } from 'fastify'
import { actorOf } from '../../audit-actor.ts'
import { idempotencyOf } from '../../creation.ts'
import { callerOf, endpoint } from '../../route-config.ts'
import { sendWithSecret, type WebhookServices } from './answers.ts'

/** POST /v1/webhooks. */
export function createWebhookRoute(app: FastifyInstance, services: WebhookServices): void {
  const { database, checkAddress, audit } = services
  app.route({
    ...endpoint('createWebhook'),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const parsed = parseWebhook(request.body, checkAddress)
      const idempotency = idempotencyOf(request)
      const answer = await database.transaction((tx) =>
        oncePerKey(tx, services, caller, idempotency, async () => {
          const made = await createWebhook(tx, services, caller.ownerId, parsed)
          await audit(tx, actorOf(request), { action: 'webhook.created', subjectId: made.id })
          return made
        }),
      )
      return sendWithSecret(services, reply, { answer, status: 201, ownerId: caller.ownerId })
    },
  })
}
