import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { filename, secret, text, webAddress } from './fields.ts'

const { Optional } = Type
const closed = { additionalProperties: false } as const

/** What may be asked of the window of a web page, in pixels, and how long it may be waited for. */
export const pageBounds = { leastSide: 64, mostSide: 4096, waitMs: 10_000 } as const

/** How to reach an S3 bucket. */
export const objstoreAAccess = {
  bucket: text('Bucket name.'),
  region: text('Region of the endpoint.'),
  access_key_id: text('Access key id.'),
  secret_access_key: secret('Secret access key.'),
  endpoint: Optional(webAddress('API endpoint in place of the one built from `region`: an http or https URL.')),
}

/** How to reach a Google Cloud Storage bucket. */
export const objstoreBAccess = {
  project_id: text('Cloud project id.'),
  bucket: text('Bucket name.'),
  client_email: text('Service account.'),
  private_key: secret('Private key of the service account.'),
}

/** How to reach a container of blobs. */
export const blobstoreAccess = {
  container: text('Container name.'),
  storage_account: text('Storage account name.'),
  storage_access_key: Optional(secret('Access key; needed when `sas_token` is not given.')),
  sas_token: Optional(secret('Shared-access token; wins over the access key.')),
}

/** How to reach an SFTP server. */
export const sftpAccess = {
  host: Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Type.Number()], {
    description: 'Host name or IP address of the server.',
  }),
  port: Optional(
    Type.Union([Type.String({ pattern: '^[0-9]{1,5}$' }), Type.Integer()], {
      description: 'A port from 1 to 65535; 22 when absent.',
    }),
  ),
  username: text('User name.'),
  password: Optional(secret('Password; not needed when `private_key` is given.')),
  private_key: Optional(secret('Private key; tried before the password.')),
  host_key: Optional(text('The host key the server must show.')),
}

/** The bodies of the import operations. */
export const importBodies = {
  'import/upload': Type.Object({ filename: Optional(filename) }, closed),
  'import/url': Type.Object(
    { url: webAddress('http or https URL of the file.'), filename: Optional(filename) },
    closed,
  ),
  'import/base64': Type.Object(
    {
      file: Type.String({
        minLength: 1,
        description: `A data URI, \`data:<media_type>;base64,<data>\`, of at most ${limits.base64Chars} characters of data.`,
        examples: ['data:text/plain;base64,aGVsbG8='],
      }),
      filename,
    },
    closed,
  ),
  'import/webpage': Type.Object(
    {
      url: webAddress('http or https URL of the page.'),
      filename: Optional(filename),
      viewport_width: Optional(
        Type.Integer({
          minimum: pageBounds.leastSide,
          maximum: pageBounds.mostSide,
          description: 'Width of the window in pixels; 1280 when absent.',
        }),
      ),
      viewport_height: Optional(
        Type.Integer({
          minimum: pageBounds.leastSide,
          maximum: pageBounds.mostSide,
          description: 'Height of the window in pixels; 800 when absent.',
        }),
      ),
      wait_ms: Optional(
        Type.Integer({
          minimum: 0,
          maximum: pageBounds.waitMs,
          description: 'Milliseconds to wait for further requests of the page after it has loaded; 2000 when absent.',
        }),
      ),
      media: Optional(
        Type.Enum(['screen', 'print'], { description: 'CSS media type of the page; screen when absent.' }),
      ),
    },
    closed,
  ),
  'import/objstore_a': Type.Object(
    {
      ...objstoreAAccess,
      key: Optional(text('Object key; needed when `key_prefix` is not given.')),
      key_prefix: Optional(text('Imports every object whose key begins with this; inside jobs only.')),
      filename: Optional(filename),
    },
    closed,
  ),
  'import/objstore_b': Type.Object(
    { ...objstoreBAccess, file: text('Object name, with its path.'), filename: Optional(filename) },
    closed,
  ),
  'import/blobstore': Type.Object(
    { ...blobstoreAccess, blob: text('Blob name, with its path.'), filename: Optional(filename) },
    closed,
  ),
  'import/sftp': Type.Object(
    { ...sftpAccess, file_string: text('File on the server, with its path.'), filename: Optional(filename) },
    closed,
  ),
}
