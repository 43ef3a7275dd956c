import { storedEventTypes } from '@lathe/domain'
import { Type } from 'typebox'
import { limits } from '../limits.ts'

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: limits.urlChars,
    description: 'https URL that events are posted to.',
    examples: ['https://example.com/hooks/lathe'],
  }),
  events: Type.Array(Type.Enum(storedEventTypes), {
    minItems: 1,
    maxItems: storedEventTypes.length,
    description: `Events to send: any of ${storedEventTypes.join(', ')}.`,
  }),
  description: Type.Union([Type.String({ maxLength: limits.descriptionChars }), Type.Null()], {
    description: 'For people.',
  }),
  enabled: Type.Boolean({ description: 'Whether events are sent.' }),
}

const { url, ...rest } = Type.Partial(Type.Object(fields)).properties

/** The body of a new webhook. Without `events`, it receives all of them. */
export const webhookBody = Type.Object(
  { url: fields.url, ...rest },
  { additionalProperties: false, title: 'CreateWebhookRequest' },
)

/** The fields of a webhook that can be changed; omitted fields stay unchanged. */
export const webhookChangeBody = Type.Object(
  { url, ...rest },
  { additionalProperties: false, title: 'UpdateWebhookRequest' },
)
