import { hkdfSync } from 'node:crypto'

/** A 32-byte key for one purpose (HKDF-SHA-256), so that one secret serves many uses and none reveals another. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'lathe', purpose, 32))
}
