export { type WebhookConfig, webhookConfig, webhookEnv } from './config.ts'
export { createEventSource, type EventSource, type EventSourceParts, type ProgressUpdate } from './event-source.ts'
export { createHub, type Hub, type HubParts, type LogHint } from './hub/hub.ts'
export type { Feed, Listener, SubjectChoice, Watch } from './hub/listener.ts'
export { type RenderParts, renderEvents } from './render-events.ts'
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
  type WebhookParts,
} from './webhooks/webhooks.ts'
