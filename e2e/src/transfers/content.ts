import { createHash, randomFillSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'

const block = randomFillSync(Buffer.alloc(1_000_000))

/** Megabytes that all differ, none of which is kept. */
function* blocks(megabytes: number): Generator<Buffer> {
  for (let n = 0; n < megabytes; n++) {
    const next = Buffer.from(block)
    next.writeUInt32LE(n)
    yield next
  }
}

export function sha256Of(megabytes: number): string {
  const hash = createHash('sha256')
  for (const next of blocks(megabytes)) hash.update(next)
  return hash.digest('hex')
}

/** Serves `megabytes` over HTTP. */
export function serve(megabytes: number) {
  return (_request: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': megabytes * 1_000_000 })
    pipeline(Readable.from(blocks(megabytes)), response, () => {})
  }
}
