import { type Static, Type } from 'typebox'
import { scopes } from '../scopes.ts'
import { ObjectIdSchema } from './common.ts'

const closed = { additionalProperties: false } as const

/** A program's sign-in that waits for the user. */
export const DeviceLoginView = Type.Object(
  {
    device_code: Type.String({ description: 'Code that the program polls with. Keep it secret.' }),
    user_code: Type.String({ description: 'Code that the person compares or enters.', examples: ['WDJB-MJHT'] }),
    verification_uri: Type.String({ description: 'The page to open.', examples: ['https://lathe.example.com/device'] }),
    verification_uri_complete: Type.String({
      description: 'The same with the code, which the person still has to compare.',
      examples: ['https://lathe.example.com/device#WDJB-MJHT'],
    }),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds until both codes expire.' }),
    interval: Type.Integer({ minimum: 1, description: 'Seconds to wait before each poll.' }),
  },
  { ...closed, title: 'DeviceLogin' },
)

/** The key of a sign-in that was approved. */
export const DeviceTokenView = Type.Object(
  {
    access_token: Type.String({
      description: 'An API key. Keep it; it is not shown again.',
      examples: ['lathe_0123456789abcdefghijABCDEFGHIJabcdef'],
    }),
    token_type: Type.Literal('Bearer'),
    key_id: ObjectIdSchema,
    name: Type.String({ description: 'The name of the key in the list of keys.' }),
    scopes: Type.Array(Type.Enum(scopes)),
  },
  { ...closed, title: 'DeviceToken' },
)

export type DeviceLogin = Static<typeof DeviceLoginView>
export type DeviceToken = Static<typeof DeviceTokenView>
