import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { StoredObject } from './object-store.ts'

/** Counts and hashes bytes as they pass. */
export interface Digest {
  update(chunk: Uint8Array): void
  /** The totals. Must be the last call. */
  finish(): Omit<StoredObject, 'key'>
}

export function createDigest(): Digest {
  const sha256 = createHash('sha256')
  let crc = 0
  let size = 0
  return {
    update(chunk) {
      sha256.update(chunk)
      crc = crc32(chunk, crc)
      size += chunk.length
    },
    finish() {
      return { size, sha256: sha256.digest('hex'), crc32: crc }
    },
  }
}
