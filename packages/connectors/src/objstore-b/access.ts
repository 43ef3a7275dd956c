import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type Failure, failure } from '@lathe/domain'
import { revealText } from '@lathe/runtime'
import type { Asked } from '../connector.ts'

/** The fields of a request that say which bucket, and with what right. */
export type AskedAccess = Pick<Asked<'import/objstore_b'>, 'bucket' | 'client_email' | 'private_key'>

/** A service account, and the bucket it is asked to open. */
export interface Access {
  readonly bucket: string
  readonly clientEmail: string
  readonly key: KeyObject
}

/**
 * Reads a payload's access. An account is its e-mail and key and nothing else: a credentials file that names other
 * places for tokens, a program to run or a file to read is no key, so it is refused here.
 */
export function readAccess({ bucket, client_email: clientEmail, private_key }: AskedAccess): Access | Failure {
  const key = readKey(revealText(private_key))
  if (!key) return failure('source_unauthorized', { text: unreadableKey })
  return { bucket, clientEmail, key }
}

const unreadableKey =
  'The private key cannot be read. Give the `private_key` of the service account’s key file: an RSA key that begins with -----BEGIN PRIVATE KEY-----.'

// Copied out of its JSON file by hand, a key has its line ends spelled out.
function readKey(text: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: text.replaceAll('\\n', '\n'), format: 'pem' })
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}
