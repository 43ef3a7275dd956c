import type { Delivery, Page, Webhook, WebhookWithSecret } from '@lathe/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, send } from '../../api/client.ts'
import { queries } from '../../app/queries.ts'
import type { WebhookEvent } from './events.ts'

const path = '/v1/webhooks'

/** The settings of a webhook that a user can edit. */
export interface WebhookSettings {
  readonly url?: string
  readonly events: readonly WebhookEvent[]
  readonly description: string | null
  readonly enabled?: boolean
}

/** All webhooks, newest first. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }) => (await call<Page<Webhook>>(`${path}?per_page=200`, { signal })).docs,
})

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) => call<Webhook>(`${path}/${encodeURIComponent(id)}`, { signal }),
  })

export type DeliveryStatus = Delivery['status']

export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly after?: string
  readonly before?: string
}

/** A page of deliveries; reloads while some are pending. */
export const deliveriesQuery = (id: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: ['deliveries', id, filter],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const wanted = new URLSearchParams({ per_page: '20', ...filter })
      return call<Page<Delivery>>(`${path}/${encodeURIComponent(id)}/deliveries?${wanted}`, { signal })
    },
    refetchInterval: ({ state }) => (state.data?.docs.some(({ status }) => status === 'pending') ? 3000 : 15_000),
  })

async function refresh(id?: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  if (id === undefined) return
  await queries.invalidateQueries({ queryKey: webhookQuery(id).queryKey })
  await queries.invalidateQueries({ queryKey: ['deliveries', id] })
}

/** Creates a webhook. Its secret is shown once. */
export async function createWebhook(settings: WebhookSettings): Promise<WebhookWithSecret> {
  const made = await call<WebhookWithSecret>(path, { method: 'POST', json: settings })
  await refresh()
  return made
}

export async function changeWebhook(id: string, change: Partial<WebhookSettings>): Promise<void> {
  await call<Webhook>(`${path}/${id}`, { method: 'PATCH', json: change })
  await refresh(id)
}

export async function deleteWebhook(id: string): Promise<void> {
  await send(`${path}/${id}`, { method: 'DELETE' })
  await refresh()
}

/** Creates a new secret. The previous one stays valid for 24 hours. */
export async function rotateSecret(id: string): Promise<WebhookWithSecret> {
  const made = await call<WebhookWithSecret>(`${path}/${id}/rotate-secret`, { method: 'POST', once: true })
  await refresh(id)
  return made
}

/** Sends a test and waits for its first attempt. */
export async function sendTest(id: string): Promise<Delivery> {
  return deliver(id, `${path}/${id}/ping`)
}

/** Sends the same event again and waits for its first attempt. */
export async function replay({ id, webhook }: Delivery): Promise<Delivery> {
  return deliver(webhook, `${path}/${webhook}/deliveries/${id}/replay`)
}

async function deliver(webhook: string, to: string): Promise<Delivery> {
  const headers = { prefer: 'wait=10' }
  const made = await call<Delivery>(to, { method: 'POST', headers })
  await refresh(webhook)
  return made
}
