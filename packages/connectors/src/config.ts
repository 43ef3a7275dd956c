import { type Static, Type } from 'typebox'

export const connectorsEnv = Type.Object({
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
  BLOBSTORE_ENDPOINT: Type.String({
    default: 'https://{account}.blob.core.windows.net',
    pattern: '^https?://[^?#]+$',
    description:
      'Where the accounts of blobstore imports and exports are: an http or https address in which {account} stands for the storage account. Another one serves an installation with a blob server of its own; if that has a private address, OUTBOUND_ALLOW must permit it for blobstore',
  }),
})

/** The places of a storage service that operators choose, and users do not. */
export interface ObjstoreBPlaces {
  readonly endpoint: string
  readonly tokenUrl: string
}

/** What connectors read besides their tasks. */
export interface ConnectorsConfig {
  readonly objstoreB: ObjstoreBPlaces
  /** With `{account}` for the storage account. */
  readonly blobstoreEndpoint: string
}

export function connectorsConfig(env: Static<typeof connectorsEnv>): ConnectorsConfig {
  return {
    blobstoreEndpoint: env.BLOBSTORE_ENDPOINT,
    objstoreB: { endpoint: env.OBJSTORE_B_ENDPOINT, tokenUrl: env.OBJSTORE_B_TOKEN_URL },
  }
}
