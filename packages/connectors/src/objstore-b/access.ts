import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type Failure, failure } from '@lathe/domain'
import { revealText } from '@lathe/runtime'
import type { Asked } from '../connector.ts'

/** The request fields with the bucket and its credentials. */
export type AskedAccess = Pick<Asked<'import/objstore_b'>, 'bucket' | 'client_email' | 'private_key'>

/** A service account, and the bucket to open with it. */
export interface Access {
  readonly bucket: string
  readonly clientEmail: string
  readonly key: KeyObject
}

/**
 * Reads the access from a payload. An account is only its email and key. A credentials file that names another token
 * URL, a program to run or a file to read is not a key, and is refused here.
 */
export function readAccess({ bucket, client_email: clientEmail, private_key }: AskedAccess): Access | Failure {
  const key = readKey(revealText(private_key))
  if (!key) return failure('source_unauthorized', { text: unreadableKey })
  return { bucket, clientEmail, key }
}

const unreadableKey =
  'The private key cannot be read. Give the `private_key` of the service account’s key file: an RSA key that begins with -----BEGIN PRIVATE KEY-----.'

// A key that was copied from its JSON file by hand contains its line breaks as \n.
function readKey(text: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: text.replaceAll('\\n', '\n'), format: 'pem' })
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}
