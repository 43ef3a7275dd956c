import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createOutbound } from '@lathe/outbound'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportContext } from '../connector.ts'
import { createUrlImporter } from './url.ts'

const MiB = 1024 * 1024
const block = Buffer.alloc(64 * 1024, 'x')
const size = 512 * MiB

const server = createServer((request, response) => {
  const isWhole = request.url === '/whole.bin'
  response.writeHead(200, { 'content-length': size })
  // Node closes the connection when fewer bytes were written than announced.
  pipeline(Readable.from(blocks(isWhole ? size : size / 8)), response, () => response.destroy())
})

function* blocks(total: number): Generator<Buffer> {
  for (let sent = 0; sent < total; sent += block.length) yield block
}

beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
afterAll(() => new Promise((done) => server.close(done)))

async function run(path: string) {
  let received = 0
  let peak = 0
  const before = process.memoryUsage().rss
  const context: ImportContext = {
    signal: new AbortController().signal,
    ownerId: '0123456789abcdef01234567',
    maxSize: size,
    async save(_filename, source) {
      for await (const chunk of source) {
        received += chunk.length
        peak = Math.max(peak, process.memoryUsage.rss() - before)
      }
    },
    openStaged: () => Promise.reject(new Error('nothing staged')),
    warn: () => {},
    progress: () => {},
  }
  await using outbound = createOutbound({ allow: ['127.0.0.1/32'] })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  return { end: await createUrlImporter({ outbound }).run({ url }, context), received, peak }
}

describe('import/url over a real socket', () => {
  it('streams 512 MiB without keeping them', async () => {
    const { end, received, peak } = await run('/whole.bin')
    expect({ end, received }).toEqual({ end: undefined, received: size })
    // In a separate process it levels off at 91 MiB, for 1 GiB as for 4. Here the server's memory is added.
    expect(peak).toBeLessThan(192 * MiB)
  })

  it('reports an interrupted transfer as unreachable, so that it is retried', async () => {
    expect((await run('/half.bin')).end).toMatchObject({ code: 'source_unreachable' })
  })
})
