import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
// biome-ignore lint/style/noRestrictedImports: both ends of the connection are in this test.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readPieces, readWhole } from './local-file.ts'
import { fileOf } from './testing/bytes.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('readPieces', () => {
  it('gives all bytes of a file with four buffers, however long it is', async () => {
    const bytes = randomBytes(5_000_000)
    const hash = createHash('sha256')
    const buffers = new Set<ArrayBufferLike>()
    for await (const piece of readPieces(fileOf(bytes))) {
      hash.update(piece)
      buffers.add(piece.buffer)
    }
    expect(hash.digest('hex')).toBe(sha256(bytes))
    expect(buffers.size).toBe(4)
  })

  it('overwrites no piece that a request has yet to send', async () => {
    const bytes = randomBytes(12_000_000)
    const hash = createHash('sha256')
    const server = createServer(async (incoming, response) => {
      let n = 0
      for await (const chunk of incoming) {
        hash.update(chunk)
        n += 1
        // The sender is always ahead, and waits for the socket.
        if (n % 20 === 0) await pause(2)
      }
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const sending = request({ method: 'PUT', port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    Readable.from(readPieces(fileOf(bytes))).pipe(sending)
    const [answer] = await once(sending, 'response')
    answer.resume()
    await once(answer, 'end')
    server.close()
    expect(hash.digest('hex')).toBe(sha256(bytes))
  })
})

describe('readWhole', () => {
  it('reads a file in one buffer, also where a read gives less than was asked for', async () => {
    const bytes = randomBytes(1000)
    const file = fileOf(bytes)
    const slow = { ...file, read: (to: Uint8Array, at: number) => file.read(to.subarray(0, 7), at) }
    expect((await readWhole(slow)).equals(bytes)).toBe(true)
  })
})
