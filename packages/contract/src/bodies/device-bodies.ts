import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { usualScopes } from '../scopes.ts'

const closed = { additionalProperties: false } as const

/** The body of a sign-in that a program begins. */
export const deviceLoginBody = Type.Object(
  {
    client_name: Type.String({
      minLength: 1,
      maxLength: limits.keyNameChars,
      description: 'What the person is shown, and what the key is named.',
      examples: ['lathe on build-7'],
    }),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...usualScopes]), {
        minItems: 1,
        maxItems: usualScopes.length,
        description: `What the key may do: ${usualScopes.join(', ')} unless given.`,
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
