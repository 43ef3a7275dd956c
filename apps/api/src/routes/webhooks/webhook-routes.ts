import type { FastifyInstance } from 'fastify'
import type { WebhookServices } from './answers.ts'
import { createWebhookRoute } from './create-webhook.ts'
import { deleteWebhookRoute } from './delete-webhook.ts'
import { jobsSecretRoutes } from './jobs-secret.ts'
import { listDeliveriesRoute } from './list-deliveries.ts'
import { listWebhooksRoute } from './list-webhooks.ts'
import { pingWebhookRoute } from './ping-webhook.ts'
import { replayDeliveryRoute } from './replay-delivery.ts'
import { rotateSecretRoute } from './rotate-secret.ts'
import { showWebhookRoute } from './show-webhook.ts'
import { updateWebhookRoute } from './update-webhook.ts'

/** Everything under /v1/webhooks. */
export function webhookRoutes(app: FastifyInstance, services: WebhookServices): void {
  listWebhooksRoute(app, services)
  createWebhookRoute(app, services)
  jobsSecretRoutes(app, services)
  showWebhookRoute(app, services)
  updateWebhookRoute(app, services)
  deleteWebhookRoute(app, services)
  rotateSecretRoute(app, services)
  pingWebhookRoute(app, services)
  listDeliveriesRoute(app, services)
  replayDeliveryRoute(app, services)
}
