import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import type { Checksum, SourceData } from '@smithy/types'

/** Node's SHA-256 with the interface of the SDK's signer. With a secret it is an HMAC. */
export class Sha256 implements Checksum {
  readonly #hash: Hash | Hmac

  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret))
  }

  update(data: SourceData): void {
    this.#hash.update(toBytes(data))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  /** Never called by the signer, which creates one per use. */
  reset(): void {
    throw new Error('A Sha256 is used once.')
  }
}

function toBytes(data: SourceData): Uint8Array | string {
  if (typeof data === 'string') return data
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}
