import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Keeps small secrets unreadable at rest. What was sealed for one thing cannot be opened as another's. */
export interface Sealer {
  /** Seals a text for the thing named by `owner`; gives hex. */
  seal(text: string, owner: string): string
  /** Throws if the text was changed, or sealed for another thing or with another key. */
  open(sealed: string, owner: string): string
}

// version ┊ nonce ┊ tag ┊ ciphertext
const version = 1
const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM with a random 96-bit nonce; the owner is the additional data. */
export function createSealer(key: Buffer): Sealer {
  return {
    seal(text, owner) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body]).toString('hex')
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'hex')
      if (bytes[0] !== version) throw new Error('sealed in a form this version does not know')
      const nonce = bytes.subarray(1, 1 + nonceBytes)
      const tag = bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner)).setAuthTag(tag)
      const body = bytes.subarray(1 + nonceBytes + tagBytes)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
