export { webhookConfig, webhookEnv } from './config.ts'
export { createEventSource } from './event-source.ts'
export { createHub, type Hub } from './hub/hub.ts'
export type { Listener, SubjectChoice, Watch } from './hub/listener.ts'
export { createAddressCheck } from './webhooks/check-address.ts'
export { pingWebhook, replayDelivery } from './webhooks/deliveries.ts'
export { type DeliveryLimits, type DeliveryParts, defaultDeliveryLimits } from './webhooks/delivery-parts.ts'
export { startDispatcher } from './webhooks/dispatcher.ts'
export {
  changeWebhook,
  createWebhook,
  ensureJobsWebhook,
  newJobsWebhook,
  removeWebhook,
  rotateSecret,
  secretOf,
  toWebhookFacts,
} from './webhooks/webhooks.ts'
