import { Type } from 'typebox'

export const objstoreBSettings = {
  OBJSTORE_B_ENDPOINT: Type.String({
    default: 'https://storage.googleapis.com',
    pattern: '^https?://[^/?#@]+$',
    description:
      'Where the buckets of objstore_b imports and exports are: the root of the JSON API. Another one serves private endpoints and emulators; if that has a private address, OUTBOUND_ALLOW must permit it for objstore_b',
  }),
  OBJSTORE_B_TOKEN_URL: Type.String({
    default: 'https://oauth2.googleapis.com/token',
    pattern: '^https?://[^?#@]+$',
    description: 'Where service accounts of objstore_b get their access tokens; never taken from a task',
  }),
}
