import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { scopes, usualScopes } from '../scopes.ts'

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: limits.keyNameChars,
    description: 'What the key is for.',
    examples: ['build server'],
  }),
  scopes: Type.Array(Type.Enum(scopes), {
    minItems: 1,
    maxItems: scopes.length,
    description: `What it may do, no more than the key that creates it: ${usualScopes.join(', ')} unless given.`,
  }),
  expiresAt: Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
    description: 'When it stops working, as an ISO 8601 time in the future; never unless given.',
    examples: ['2027-01-31T00:00:00Z'],
  }),
  allowedIps: Type.Array(Type.String({ minLength: 2, maxLength: 50 }), {
    minItems: 1,
    maxItems: limits.rangesPerKey,
    description: 'Addresses and ranges it may be used from, such as 192.0.2.0/24; anywhere unless given.',
  }),
}

const { name, ...rest } = Type.Partial(Type.Object(fields)).properties

/** The body of a new key. */
export const keyBody = Type.Object(
  { name: fields.name, ...rest },
  { additionalProperties: false, title: 'CreateApiKeyRequest' },
)

/** What of a key can be changed; what is left out stays. */
export const keyChangeBody = Type.Object({ name }, { additionalProperties: false, title: 'UpdateApiKeyRequest' })
