export { createAddressCheck } from './check-address.ts'
export { webhookConfig, webhookEnv } from './config.ts'
export { pingWebhook, replayDelivery } from './deliveries.ts'
export { type DeliveryLimits, type DeliveryParts, defaultDeliveryLimits } from './delivery-parts.ts'
export { startDispatcher } from './dispatcher.ts'
export {
  changeWebhook,
  createWebhook,
  ensureJobsWebhook,
  newJobsWebhook,
  removeWebhook,
  rotateSecret,
  secretOf,
  toWebhookFacts,
} from './webhooks.ts'
