import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Key, Keys } from './keys.ts'

/** Encrypts small secrets at rest. A text that was sealed for one owner cannot be opened for another. */
export interface Sealer {
  /** Seals a text for the object named by `owner`. Returns hex. */
  seal(text: string, owner: string): string
  /** Throws if the text was changed or sealed for another owner, and SealingKeyMissing if its key is unknown. */
  open(sealed: string, owner: string): string
  /** Whether it is sealed with the newest key. If not, sealing it again allows an old key to be removed. */
  isCurrent(sealed: string): boolean
}

/** The sealed text may be intact, but this process does not have the key. */
export class SealingKeyMissing extends Error {
  override readonly name = 'SealingKeyMissing'

  constructor(keyId: string) {
    super(
      `sealed with key ${keyId}, which is not derived from LATHE_SECRET, LATHE_ACCEPTED_SECRETS or LATHE_SEALING_SECRETS`,
    )
  }
}

// version ┊ key id ┊ nonce ┊ tag ┊ ciphertext
const version = 2
const keyIdBytes = 4
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + keyIdBytes
const bodyAt = headBytes + nonceBytes + tagBytes

interface SealingKey extends Key {
  readonly head: Buffer
}

/**
 * AES-256-GCM with a random 96-bit nonce. The version, the key's ID and the owner are additional authenticated data.
 * Seals with the first key, opens with any of them.
 */
export function createSealer([first, ...others]: Keys): Sealer {
  const current = withHead(first)
  const byHead = new Map([current, ...others.map(withHead)].map((key) => [key.head.toString('hex'), key]))
  return {
    seal(text, owner) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current.secret, nonce).setAAD(additional(current, owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([current.head, nonce, cipher.getAuthTag(), body]).toString('hex')
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'hex')
      if (bytes[0] !== version) throw new Error('sealed in a form this version does not know')
      const head = bytes.subarray(0, headBytes).toString('hex')
      const key = byHead.get(head)
      if (!key) throw new SealingKeyMissing(head.slice(2))
      const nonce = bytes.subarray(headBytes, headBytes + nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', key.secret, nonce)
        .setAAD(additional(key, owner))
        .setAuthTag(bytes.subarray(headBytes + nonceBytes, bodyAt))
      return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString('utf8')
    },
    isCurrent: (sealed) => sealed.startsWith(current.head.toString('hex')),
  }
}

function withHead(key: Key): SealingKey {
  return { ...key, head: Buffer.concat([Buffer.of(version), Buffer.from(key.id, 'hex')]) }
}

function additional({ head }: SealingKey, owner: string): Buffer {
  return Buffer.concat([head, Buffer.from(owner)])
}
