import { Type } from 'typebox'

export const blobstoreSettings = {
  BLOBSTORE_ENDPOINT: Type.String({
    default: 'https://{account}.blob.core.windows.net',
    pattern: '^https?://[^?#]+$',
    description:
      'Where the accounts of blobstore imports and exports are: an http or https address in which {account} stands for the storage account. Another one serves an installation with a blob server of its own; if that has a private address, OUTBOUND_ALLOW must permit it for blobstore',
  }),
}
