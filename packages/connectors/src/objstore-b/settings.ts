import { Type } from 'typebox'

export const objstoreBSettings = {
  OBJSTORE_B_ENDPOINT: Type.String({
    default: 'https://storage.googleapis.com',
    pattern: '^https?://[^/?#@]+$',
    description:
      'URL of the JSON API for objstore_b imports and exports. Change it for private endpoints and emulators. If it has a private address, OUTBOUND_ALLOW must permit it for objstore_b',
  }),
  OBJSTORE_B_TOKEN_URL: Type.String({
    default: 'https://oauth2.googleapis.com/token',
    pattern: '^https?://[^?#@]+$',
    description: 'URL at which service accounts of objstore_b get access tokens. Tasks cannot change it',
  }),
}
