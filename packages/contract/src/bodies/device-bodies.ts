import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { usualScopes } from '../scopes.ts'

const closed = { additionalProperties: false } as const

/** The body that starts a program's sign-in. */
export const deviceLoginBody = Type.Object(
  {
    client_name: Type.String({
      minLength: 1,
      maxLength: limits.keyNameChars,
      description: 'Name shown to the person, also used as the name of the key.',
      examples: ['lathe on build-7'],
    }),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...usualScopes]), {
        minItems: 1,
        maxItems: usualScopes.length,
        description: `Scopes of the key. Default: ${usualScopes.join(', ')}.`,
      }),
    ),
  },
  { ...closed, title: 'StartDeviceLoginRequest' },
)

/** The body of a poll. */
export const deviceTokenBody = Type.Object(
  { device_code: Type.String({ minLength: 1, maxLength: 100, description: '`device_code` of the first answer.' }) },
  { ...closed, title: 'DeviceTokenRequest' },
)
