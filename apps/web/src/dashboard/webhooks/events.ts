import type { Webhook } from '@lathe/contract'

export type WebhookEvent = Webhook['events'][number]

/**
 * All events, and whether they are selected by default. Only types are imported from the contract; the compiler checks
 * the values.
 */
const usual: Readonly<Record<WebhookEvent, boolean>> = {
  'job.created': false,
  'job.started': false,
  'job.completed': true,
  'job.failed': true,
  'task.created': false,
  'task.started': false,
  'task.completed': false,
  'task.failed': false,
  'task.canceled': false,
  'task.deleted': false,
}

export const webhookEvents = Object.keys(usual) as WebhookEvent[]
export const usualEvents: readonly WebhookEvent[] = webhookEvents.filter((event) => usual[event])
