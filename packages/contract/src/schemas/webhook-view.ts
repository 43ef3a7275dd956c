import { deliveryStatuses, storedEventTypes } from '@lathe/domain'
import { type Static, Type } from 'typebox'
import { NullableTimestamp, ObjectIdSchema, Timestamp } from './common.ts'
import { pageFields } from './page-view.ts'

const closed = { additionalProperties: false } as const
const NullableId = Type.Union([ObjectIdSchema, Type.Null()])

const fields = {
  id: ObjectIdSchema,
  url: Type.Union([Type.String(), Type.Null()], {
    description:
      'URL that events are posted to, with passwords masked. Null for the webhook that represents the `webhook_url` of jobs.',
  }),
  events: Type.Array(Type.Enum(storedEventTypes)),
  description: Type.Union([Type.String(), Type.Null()]),
  enabled: Type.Boolean(),
  disabledReason: Type.Union([Type.Enum(['gone', 'failing']), Type.Null()], {
    description:
      'Why the service disabled it: `gone`, the URL returned 410; `failing`, every attempt of ten deliveries in a row failed. `enabled: true` enables it again.',
  }),
  oldSecretExpiresAt: Type.Union([Timestamp, Type.Null()], {
    description: 'Until when deliveries are also signed with the secret before the current one.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

/** A webhook as it is shown. */
export const WebhookView = Type.Object(fields, { ...closed, title: 'Webhook' })

/** A webhook with its secret, which is shown only when it is created. */
export const WebhookWithSecretView = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description: 'Secret that signs deliveries: `whsec_` and base64. Store it; it is not shown again.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  { ...closed, title: 'WebhookWithSecret' },
)

/** A page of webhooks, newest first. */
export const WebhookPageView = Type.Object(
  {
    docs: Type.Array(WebhookView),
    webhooks: Type.Array(WebhookView, { description: 'The same as `docs`; its name before there were pages.' }),
    ...pageFields,
  },
  { ...closed, title: 'WebhookPage' },
)

/** One delivery attempt. */
export const DeliveryAttemptView = Type.Object(
  {
    at: Timestamp,
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the answer; null if there was none.' }),
    tookMs: Type.Integer({ minimum: 0 }),
    answer: Type.Optional(Type.String({ description: 'The first 4 KiB of the answer’s text.' })),
    reason: Type.Optional(Type.String({ description: 'What went wrong.' })),
  },
  { ...closed, title: 'DeliveryAttempt' },
)

/** The delivery of an event to a webhook, with its attempts. */
export const DeliveryView = Type.Object(
  {
    id: ObjectIdSchema,
    webhook: ObjectIdSchema,
    event: Type.Object(
      { id: ObjectIdSchema, type: Type.String({ examples: ['job.completed'] }) },
      { ...closed, description: 'The id is sent as `webhook-id`, the same at every try and replay.' },
    ),
    job: NullableId,
    task: NullableId,
    status: Type.Enum([...deliveryStatuses]),
    attempts: Type.Array(DeliveryAttemptView),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'Why there are no further tries.' }),
    nextTryAt: NullableTimestamp,
    replayOf: NullableId,
    createdAt: Timestamp,
    endedAt: NullableTimestamp,
  },
  { ...closed, title: 'Delivery' },
)

/** A page of deliveries, newest first. */
export const DeliveryPageView = Type.Object(
  { docs: Type.Array(DeliveryView), ...pageFields },
  { ...closed, title: 'DeliveryPage' },
)

export type Webhook = Static<typeof WebhookView>
export type WebhookWithSecret = Static<typeof WebhookWithSecretView>
export type WebhookPage = Static<typeof WebhookPageView>
export type Delivery = Static<typeof DeliveryView>
