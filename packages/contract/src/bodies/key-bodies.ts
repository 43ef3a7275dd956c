import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { scopes, usualScopes } from '../scopes.ts'

const range = Type.String({ minLength: 2, maxLength: 50 })
const sizes = { minItems: 1, maxItems: limits.rangesPerKey } as const

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: limits.keyNameChars,
    description: 'Purpose of the key.',
    examples: ['build server'],
  }),
  scopes: Type.Array(Type.Enum(scopes), {
    minItems: 1,
    maxItems: scopes.length,
    description: `Scopes, at most those of the creating key. Default: ${usualScopes.join(', ')}.`,
  }),
  expiresAt: Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
    description:
      'Expiry as an ISO 8601 time in the future, at most that of the creating key. Default: that of the creating key, or never.',
    examples: ['2027-01-31T00:00:00Z'],
  }),
  allowedIps: Type.Array(range, {
    ...sizes,
    description:
      'IP addresses and ranges from which the key may be used, such as 192.0.2.0/24; at most those of the creating key. Default: those of the creating key, or any.',
  }),
}

const { name: _, ...rest } = Type.Partial(Type.Object(fields)).properties

/** The body of a new key. */
export const keyBody = Type.Object(
  { name: fields.name, ...rest },
  { additionalProperties: false, title: 'CreateApiKeyRequest' },
)

const allowedIps = Type.Union([Type.Array(range, sizes), Type.Null()], {
  description: 'IP addresses and ranges from which the key may be used, such as 192.0.2.0/24; null for any.',
})

/** The fields of a key that can be changed; omitted fields stay unchanged. */
export const keyChangeBody = Type.Partial(Type.Object({ name: fields.name, allowedIps }), {
  additionalProperties: false,
  title: 'UpdateApiKeyRequest',
})
