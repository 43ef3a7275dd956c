import { Type } from 'typebox'
import { webhookBody, webhookChangeBody } from '../bodies/webhook-bodies.ts'
import { deliveriesQuery, listQuery } from '../query/queries.ts'
import { ObjectIdParameter } from '../schemas/common.ts'
import {
  DeliveryPageView,
  DeliveryView,
  WebhookPageView,
  WebhookView,
  WebhookWithSecretView,
} from '../schemas/webhook-view.ts'
import { errorsFor, type Route } from './route.ts'

const read = { tags: ['webhooks'], scope: 'webhook.read' } as const
const write = { tags: ['webhooks'], scope: 'webhook.write' } as const
const params = Type.Object({ webhookId: ObjectIdParameter })
const root = '/v1/webhooks'
const one = `${root}/{webhookId}`

/** Webhooks and their deliveries. */
export const webhookRoutes = {
  listWebhooks: {
    ...read,
    method: 'GET',
    path: root,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description:
      'The caller’s webhooks, newest first. The one with `url: null` represents the `webhook_url` of jobs; it is created with the first such job.',
    query: listQuery.schema,
    responses: { 200: { description: 'A page of webhooks.', schema: WebhookPageView }, ...errorsFor(read) },
  },
  createWebhook: {
    ...write,
    method: 'POST',
    path: root,
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'New events are posted to the URL, signed according to Standard Webhooks. The secret is only shown in this response.',
    body: webhookBody,
    responses: {
      201: { description: 'The webhook and its secret.', schema: WebhookWithSecretView },
      ...errorsFor({ ...write, idempotent: true }),
    },
  },
  showJobsSecret: {
    ...write,
    method: 'GET',
    path: `${root}/secret`,
    operationId: 'showJobsSecret',
    summary: 'Show the secret of webhook_url',
    description:
      'The secret that signs deliveries to the `webhook_url` of jobs, and the webhook that represents them. 404 until the first job with a `webhook_url`, or until `POST /v1/webhooks/secret`.',
    responses: {
      200: { description: 'The webhook and its secret.', schema: WebhookWithSecretView },
      ...errorsFor({ ...write, single: true }),
    },
  },
  createJobsSecret: {
    ...write,
    method: 'POST',
    path: `${root}/secret`,
    operationId: 'createJobsSecret',
    summary: 'Create the secret of webhook_url',
    description:
      'Creates the secret that signs deliveries to the `webhook_url` of jobs, so that a receiver can be configured before the first job. If it exists already, it is returned.',
    responses: {
      201: { description: 'The webhook and its secret.', schema: WebhookWithSecretView },
      ...errorsFor({ ...write, idempotent: true }),
    },
  },
  showWebhook: {
    ...read,
    method: 'GET',
    path: one,
    operationId: 'showWebhook',
    summary: 'Show a webhook',
    description: 'The webhook, without its secret.',
    params,
    responses: { 200: { description: 'The webhook.', schema: WebhookView }, ...errorsFor({ ...read, single: true }) },
  },
  updateWebhook: {
    ...write,
    method: 'PATCH',
    path: one,
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description:
      'Changes the fields that are set. `enabled: false` drops pending deliveries; `enabled: true` starts with the next event.',
    params,
    body: webhookChangeBody,
    responses: { 200: { description: 'The webhook.', schema: WebhookView }, ...errorsFor({ ...write, single: true }) },
  },
  deleteWebhook: {
    ...write,
    method: 'DELETE',
    path: one,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Nothing more is delivered to it, and its deliveries can no longer be read.',
    params,
    responses: { 200: { description: 'Deleted; the body is empty.' }, ...errorsFor({ ...write, single: true }) },
  },
  rotateWebhookSecret: {
    ...write,
    method: 'POST',
    path: `${one}/rotate-secret`,
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new secret',
    description: 'For 24 hours deliveries carry two signatures: by the new secret and by the one before it.',
    params,
    responses: {
      200: { description: 'The webhook and its new secret.', schema: WebhookWithSecretView },
      ...errorsFor({ ...write, single: true, idempotent: true }),
    },
  },
  pingWebhook: {
    ...write,
    method: 'POST',
    path: `${one}/ping`,
    operationId: 'pingWebhook',
    summary: 'Send a test',
    description:
      'Queues a `webhook.ping`, which is tried once, even if the webhook is disabled. `Prefer: wait=N` waits for the result.',
    params,
    waits: true,
    responses: {
      201: { description: 'The delivery.', schema: DeliveryView },
      ...errorsFor({ ...write, single: true, idempotent: true }),
    },
  },
  listDeliveries: {
    ...read,
    method: 'GET',
    path: `${one}/deliveries`,
    operationId: 'listDeliveries',
    summary: 'List deliveries',
    description: 'The deliveries of the last four days, newest first, each with every try.',
    params,
    query: deliveriesQuery.schema,
    responses: {
      200: { description: 'A page of deliveries.', schema: DeliveryPageView },
      ...errorsFor({ ...read, single: true }),
    },
  },
  replayDelivery: {
    ...write,
    method: 'POST',
    path: `${one}/deliveries/{deliveryId}/replay`,
    operationId: 'replayDelivery',
    summary: 'Deliver again',
    description: 'Queues the same event again with the same `webhook-id` and a new series of attempts.',
    params: Type.Object({ ...params.properties, deliveryId: ObjectIdParameter }),
    waits: true,
    responses: {
      201: { description: 'The new delivery.', schema: DeliveryView },
      ...errorsFor({ ...write, single: true, idempotent: true }),
    },
  },
} as const satisfies Record<string, Route>
