import { get, type RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createOutbound } from './outbound.ts'
import { serveHttp, serveRaw } from './testing/loopback.ts'

const { signal } = new AbortController()
const open = (idleMs = 5_000) => createOutbound({ allow: ['127.0.0.1/32'], limits: { idleMs } })

function ask(options: RequestOptions): Promise<string> {
  return new Promise((done, fail) => {
    get(options, (response) => void text(response).then(done, fail)).on('error', fail)
  })
}

describe('the agents', () => {
  it('send the requests of a library, several over one connection', async () => {
    const sockets = new Set<unknown>()
    await using server = await serveHttp((request, response) => {
      sockets.add(request.socket)
      response.end(request.url)
    })
    await using outbound = open()
    using agents = outbound.openAgents(signal)
    for (const path of ['/1', '/2', '/3']) {
      expect(await ask({ host: '127.0.0.1', port: server.port, path, agent: agents.http })).toBe(path)
    }
    expect(sockets.size).toBe(1)
  })

  it('end an idle connection', async () => {
    await using server = await serveRaw(
      (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
    )
    await using outbound = open(200)
    using agents = outbound.openAgents(signal)
    await expect(ask({ host: '127.0.0.1', port: server.port, agent: agents.http })).rejects.toThrow()
  })

  it('end a connection that goes silent at a later request', async () => {
    let asked = 0
    await using server = await serveHttp((_, response) => {
      if (asked++ === 0) response.end('first')
    })
    await using outbound = open(300)
    using agents = outbound.openAgents(signal)
    const place = { host: '127.0.0.1', port: server.port, agent: agents.http }
    expect(await ask(place)).toBe('first')
    await expect(ask(place)).rejects.toThrow()
    expect(asked).toBe(2)
  })

  it('leave no connection behind', async () => {
    await using server = await serveHttp((_, response) => void response.end())
    await using outbound = open()
    const agents = outbound.openAgents(signal)
    await ask({ host: '127.0.0.1', port: server.port, agent: agents.http })
    agents[Symbol.dispose]()
    await expect.poll(() => server.connections()).toBe(0)
  })
})
