import { findJobsWebhook } from '@lathe/database'
import { Problem } from '@lathe/domain'
import { ensureJobsWebhook, secretOf } from '@lathe/webhooks'
import type { FastifyInstance } from 'fastify'
import { idempotencyOf } from '../../creation.ts'
import { requireNoBody } from '../../http/body.ts'
import { callerOf, endpoint } from '../../route-config.ts'
import { type WebhookServices, webhookView } from './answers.ts'

/** GET and POST /v1/webhooks/secret: the secret that signs deliveries to the `webhook_url` of jobs. */
export function jobsSecretRoutes(app: FastifyInstance, services: WebhookServices): void {
  app.route({
    ...endpoint('showJobsSecret'),
    handler: async (request) => {
      const webhook = await findJobsWebhook(services.database.pool, callerOf(request).ownerId)
      if (!webhook) {
        throw new Problem('not_found', { msg: 'There is no secret yet. Create it with POST /v1/webhooks/secret.' })
      }
      return { ...webhookView(services, webhook), secret: secretOf(services, webhook) }
    },
  })
  app.route({
    ...endpoint('createJobsSecret'),
    handler: async (request, reply) => {
      requireNoBody(request.body)
      // Creating the secret is idempotent, so there is nothing to store; a malformed key is still refused.
      idempotencyOf(request)
      const webhook = await ensureJobsWebhook(services.database, services, callerOf(request).ownerId)
      return reply.code(201).send({ ...webhookView(services, webhook), secret: secretOf(services, webhook) })
    },
  })
}
