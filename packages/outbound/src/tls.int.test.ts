import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { connect as dial } from 'node:net'
import { text } from 'node:stream/consumers'
import { isFailure } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound, type Dial } from './index.ts'
import { type LoopbackServer, listen } from './testing/loopback.ts'
import { testCertificate } from './testing/test-certificate.ts'

const { signal } = new AbortController()
let server: LoopbackServer
let names: unknown[] = []

const answer: RequestListener = (request, response) => {
  if (request.url === '/plain') response.writeHead(302, { location: 'http://files.example.com/' }).end()
  else response.end('sealed')
}

beforeAll(async () => {
  const https = createServer({ ...testCertificate, ALPNProtocols: ['h2', 'http/1.1'] }, answer)
  https.on('secureConnection', (socket) => names.push([socket.servername, socket.alpnProtocol]))
  server = await listen(https)
})

afterAll(() => server[Symbol.asyncDispose]())

/** Claims to have reached the given address, while every byte stays on loopback. */
const connect: Dial = async (address) => {
  const socket = dial(server.port, '127.0.0.1')
  return { socket, remoteAddress: address }
}

function get(url: string, ca: string | undefined = testCertificate.cert) {
  names = []
  const parts = { connect, resolve: async () => ['93.184.216.34'], ...(ca === '' ? {} : { ca }) }
  return createOutbound({ allow: [] }, parts).get(url, { signal, maxSize: 1000 })
}

describe('https', () => {
  it('names the host in the handshake, although it connects to an address', async () => {
    const response = await get('https://files.example.com/')
    expect(isFailure(response) ? response : await text(response.body)).toBe('sealed')
    expect(names).toEqual([['files.example.com', 'http/1.1']])
  })

  it.each([
    ['a certificate for another name', 'https://other.example.com/', testCertificate.cert],
    ['a certificate for a name at an address', 'https://93.184.216.34/', testCertificate.cert],
    ['a certificate nobody vouches for', 'https://files.example.com/', ''],
  ])('does not accept %s', async (_what, url, ca) => {
    expect(await get(url, ca)).toMatchObject({ code: 'source_unreachable' })
  })

  it('is not downgraded to plain HTTP by a redirect', async () => {
    expect(await get('https://files.example.com/plain')).toMatchObject({
      code: 'url_forbidden',
      detail: 'https to http',
    })
  })
})
