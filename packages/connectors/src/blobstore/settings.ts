import { Type } from 'typebox'

export const blobstoreSettings = {
  BLOBSTORE_ENDPOINT: Type.String({
    default: 'https://{account}.blob.core.windows.net',
    pattern: '^https?://[^?#]+$',
    description:
      'URL of blobstore imports and exports, in which {account} is replaced by the storage account. Change it to use your own blob server. If it has a private address, OUTBOUND_ALLOW must permit it for blobstore',
  }),
}
