import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type Failure, isFailure } from '@lathe/domain'
import { describe, expect, it, vi } from 'vitest'
import { createOutbound, type OutboundLimits, type OutboundResponse, TransferFailed } from './index.ts'
import { drip, flood, type LoopbackServer, serveHttp, serveRaw } from './testing/loopback.ts'

const MiB = 1024 * 1024
const { signal } = new AbortController()
// For sources that must time out: the real limits would take minutes.
const quick = { connectMs: 1000, idleMs: 300, minRate: 1024, rateWindowMs: 400 }

function get(server: LoopbackServer, maxSize = MiB, limits: Partial<OutboundLimits> = {}) {
  return createOutbound({ allow: ['127.0.0.1/32'], limits }).get(server.url, { signal, maxSize })
}

/** The bytes, or the code of the failure, before the body or within it. */
async function outcome(getting: Promise<OutboundResponse | Failure>): Promise<Buffer | string> {
  const response = await getting
  if (isFailure(response)) return response.code
  try {
    return await buffer(response.body)
  } catch (error) {
    if (error instanceof TransferFailed) return error.failure.code
    throw error
  }
}

async function expectNoConnection(server: LoopbackServer): Promise<void> {
  await vi.waitUntil(() => server.connections() === 0, { timeout: 2000, interval: 5 })
}

describe('sizes', () => {
  it('accepts a file of exactly the limit and refuses one more byte, with and without Content-Length [L-file]', async () => {
    for (const reported of [true, false]) {
      await using server = await serveHttp((_request, response) => {
        response.writeHead(200, reported ? { 'content-length': MiB } : {})
        response.write(Buffer.alloc(MiB - 1))
        response.end('x')
      })
      expect(await outcome(get(server, MiB))).toHaveLength(MiB)
      expect(await outcome(get(server, MiB - 1))).toBe('limit_exceeded')
      await expectNoConnection(server)
    }
  })

  it('accepts an empty file', async () => {
    await using server = await serveHttp((_request, response) => void response.end())
    expect(await outcome(get(server))).toHaveLength(0)
  })

  it('returns bytes unchanged', async () => {
    const bytes = randomBytes(3 * MiB + 7)
    await using server = await serveHttp((_request, response) => void response.end(bytes))
    const got = await outcome(get(server, 4 * MiB))
    expect(Buffer.isBuffer(got) && got.equals(bytes)).toBe(true)
    await expectNoConnection(server)
  })

  it('stops an endless chunked answer at the limit [L-file]', async () => {
    let sent = 0
    await using server = await serveRaw(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      sent = await flood(socket, `10000\r\n${'x'.repeat(65_536)}\r\n`, 64 * MiB)
    })
    expect(await outcome(get(server))).toBe('limit_exceeded')
    await expectNoConnection(server)
    expect(sent).toBeLessThan(32 * MiB)
  })

  it('stops an answer that ends only with its connection', async () => {
    await using server = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      void flood(socket, 'x'.repeat(65_536), 64 * MiB)
    })
    expect(await outcome(get(server))).toBe('limit_exceeded')
  })

  it('buffers a limited amount of an unread body', async () => {
    let sent = 0
    await using server = await serveRaw(async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      sent = await flood(socket, 'x'.repeat(65_536), 64 * MiB)
    })
    const response = await get(server, 1024 * MiB, { ...quick, idleMs: 100 })
    if (isFailure(response)) throw new Error(response.code)
    // Longer than the idle limit: a slow reader is not the source's fault.
    await pause(400)
    expect(response.body.destroyed).toBe(false)
    response.body.destroy()
    await expectNoConnection(server)
    await vi.waitUntil(() => sent > 0)
    expect(sent).toBeLessThan(16 * MiB)
  })
})

describe('wrong lengths', () => {
  it('reports a body shorter than its Content-Length as interrupted', async () => {
    await using server = await serveRaw(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort'),
    )
    expect(await outcome(get(server))).toBe('source_unreachable')
  })

  it('reads no more than the Content-Length', async () => {
    await using server = await serveRaw(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nlonger than that'),
    )
    expect(String(await outcome(get(server)))).toMatch(/^(longe|source_unreachable)$/)
  })

  it('reports a chunked body without its end as interrupted', async () => {
    await using server = await serveRaw(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n'),
    )
    expect(await outcome(get(server))).toBe('source_unreachable')
  })

  it('reports a reset in the middle as interrupted', async () => {
    await using server = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nfirst', () => socket.resetAndDestroy())
    })
    expect(await outcome(get(server))).toBe('source_unreachable')
  })

  it.each([
    'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n',
    'SSH-2.0-OpenSSH_9\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
  ])('reports an invalid response as unreachable: %j', async (words) => {
    await using server = await serveRaw((socket) => void socket.end(words))
    expect(await get(server)).toMatchObject({ code: 'source_unreachable' })
  })
})

describe('unrequested encodings', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes %s', async (encoding, compress) => {
    await using server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('hello'))
    })
    expect(String(await outcome(get(server)))).toBe('hello')
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('stops a %s bomb at the limit', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(8 * MiB))
    await using server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': bomb.length }).end(bomb)
    })
    expect(bomb.length).toBeLessThan(MiB)
    expect(await outcome(get(server))).toBe('limit_exceeded')
    await expectNoConnection(server)
  })

  it('stops a compressed stream without output', async () => {
    const nothing = gzipSync('')
    const many = Buffer.concat(Array.from({ length: 1000 }, () => nothing))
    await using server = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n')
      void flood(socket, many, 64 * MiB)
    })
    expect(await outcome(get(server, 256 * 1024))).toBe('limit_exceeded')
  })

  it.each(['cut', 'wrong'])('reports a %s gzip stream as damaged', async (how) => {
    const whole = gzipSync(randomBytes(10_000))
    await using server = await serveHttp((_request, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(how === 'cut' ? whole.subarray(0, 5000) : 'plain text')
    })
    expect(await outcome(get(server))).toBe('source_unreachable')
  })
})

describe('slow sources', () => {
  it('fail when they send no headers', async () => {
    await using server = await serveRaw(() => {})
    expect(await outcome(get(server, MiB, quick))).toBe('source_unreachable')
    await expectNoConnection(server)
  })

  it('fail when their headers arrive byte by byte', async () => {
    await using server = await drip('HTTP/1.1 200 OK\r\n', 'x: y\r\n', 50)
    expect(await outcome(get(server, MiB, quick))).toBe('source_unreachable')
  })

  it('fail when they send only informational responses', async () => {
    await using server = await drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 50)
    expect(await outcome(get(server, MiB, quick))).toBe('source_unreachable')
  })

  it('fail when they go silent within the body', async () => {
    await using server = await serveRaw(
      (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfirst'),
    )
    expect(await outcome(get(server, MiB, quick))).toBe('source_unreachable')
    await expectNoConnection(server)
  })

  it('fail below the minimum rate, however much arrived before [B12, L-source-rate]', async () => {
    await using server = await drip(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(100_000)}`, 'x', 20)
    expect(await outcome(get(server, MiB, quick))).toBe('source_unreachable')
    await expectNoConnection(server)
  })

  it('succeed above the minimum rate [L-source-rate]', async () => {
    await using server = await serveHttp(async (_request, response) => {
      for (let n = 0; n < 25; n++) {
        response.write('x'.repeat(1024))
        await pause(40)
      }
      response.end()
    })
    expect(await outcome(get(server, MiB, { rateWindowMs: 400 }))).toHaveLength(25 * 1024)
  })
})

describe('headers', () => {
  it('are accepted up to their limit and refused over it', async () => {
    const sized = (size: number) =>
      serveHttp((_request, response) => void response.writeHead(200, { x: 'y'.repeat(size) }).end('ok'))
    await using small = await sized(15 * 1024)
    await using large = await sized(17 * 1024)
    expect(String(await outcome(get(small)))).toBe('ok')
    expect(await get(large)).toMatchObject({ code: 'source_unreachable' })
  })

  it('without end are aborted [B12]', async () => {
    await using server = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      void flood(socket, 'x: y\r\n'.repeat(1000), 64 * MiB)
    })
    expect(await get(server)).toMatchObject({ code: 'source_unreachable' })
    await expectNoConnection(server)
  })

  it('of a thousand redirects cause six requests [B12]', async () => {
    let asked = 0
    await using server = await serveHttp((_request, response) => {
      asked += 1
      response.writeHead(302, { location: `/${asked % 1000}` }).end('x'.repeat(1000))
    })
    expect(await get(server)).toMatchObject({ code: 'source_refused' })
    expect(asked).toBe(6)
    await expectNoConnection(server)
  })
})

describe('stopping', () => {
  it('by the caller ends the body and the connection at once', async () => {
    await using server = await serveHttp((_request, response) => void response.write('first'))
    const stop = new AbortController()
    const outbound = createOutbound({ allow: ['127.0.0.1/32'] })
    const response = await outbound.get(server.url, { signal: stop.signal, maxSize: MiB })
    if (isFailure(response)) throw new Error(response.code)
    const reading = buffer(response.body)
    stop.abort()
    await expect(reading).rejects.toThrow('aborted')
    await expectNoConnection(server)
  })

  it('by destroying the body closes the connection, though the source says nothing', async () => {
    await using server = await serveHttp((_request, response) => void response.write('first'))
    const response = await createOutbound({ allow: ['127.0.0.1/32'] }).get(server.url, { signal, maxSize: MiB })
    if (isFailure(response)) throw new Error(response.code)
    for await (const _chunk of response.body) break
    await expectNoConnection(server)
  })

  it('leaves no connection after a refusal', async () => {
    await using server = await serveHttp((_request, response) => void response.writeHead(404).write('not '))
    expect(await get(server)).toMatchObject({ code: 'source_not_found' })
    await expectNoConnection(server)
  })
})

describe('a closed port', () => {
  it('is unreachable', async () => {
    const server = await serveHttp(() => {})
    await server[Symbol.asyncDispose]()
    expect(await get(server)).toMatchObject({ code: 'source_unreachable', detail: 'ECONNREFUSED' })
  })
})
