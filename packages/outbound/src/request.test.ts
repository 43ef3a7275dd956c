import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { createOutbound } from './outbound.ts'
import { refusedIpv4, refusedIpv6, spellIpv4, spellIpv6, trickUrls } from './testing/address-spellings.ts'
import { createFakeNet } from './testing/fake-net.ts'

const publicAddress = '93.184.216.34'
const url = `http://${publicAddress}/some/where`
const { signal } = new AbortController()
const get = { method: 'GET', signal, maxSize: 1000 } as const

async function answered(end: Awaited<ReturnType<ReturnType<typeof createOutbound>['request']>>) {
  if (isFailure(end)) throw new Error(end.code)
  return { status: end.status, headers: end.headers, text: await text(end.body) }
}

describe('request', () => {
  it.each(['GET', 'POST', 'PUT', 'DELETE'] as const)(
    'sends %s and accepts any status as a response',
    async (method) => {
      const net = createFakeNet({}, (request, response) => {
        response.writeHead(499, { 'x-seen': `${request.method} ${request.headers['x-mine']}` }).end('no')
      })
      const end = await createOutbound({ allow: [] }, net).request(url, {
        ...get,
        method,
        headers: { 'x-mine': 'yes' },
      })
      expect(await answered(end)).toMatchObject({ status: 499, headers: { 'x-seen': `${method} yes` }, text: 'no' })
    },
  )

  it('streams a body of the given length', async () => {
    const net = createFakeNet({}, async (request, response) => {
      response.end(`${request.headers['content-length']} ${(await text(request)).length}`)
    })
    const body = Readable.from(Array.from({ length: 30 }, () => 'x'.repeat(10_000)))
    const headers = { 'content-length': '300000' }
    const end = await createOutbound({ allow: [] }, net).request(url, { ...get, method: 'PUT', headers, body })
    expect((await answered(end)).text).toBe('300000 300000')
  })

  it('does not time out while a host receives a slow body', async () => {
    const net = createFakeNet({}, async (request, response) => void response.end(await text(request)))
    async function* drops() {
      for (let n = 0; n < 8; n++) {
        await new Promise((done) => setTimeout(done, 100))
        yield 'x'
      }
    }
    const outbound = createOutbound({ allow: [], limits: { idleMs: 500 } }, net)
    const letter = { method: 'PUT', headers: { 'content-length': '8' }, body: Readable.from(drops()) } as const
    expect((await answered(await outbound.request(url, { ...get, ...letter }))).text).toBe('xxxxxxxx')
  })

  it('fails for a host that receives a body and does not answer', async () => {
    const net = createFakeNet({}, (request) => void request.resume())
    const outbound = createOutbound({ allow: [], limits: { idleMs: 200 } }, net)
    const letter = { method: 'PUT', headers: { 'content-length': '1' }, body: Readable.from(['x']) } as const
    expect(await outbound.request(url, { ...get, ...letter })).toMatchObject({ code: 'source_unreachable' })
  })

  it('returns a redirect as the response, and does not follow it', async () => {
    const net = createFakeNet({}, (_, response) => {
      response.writeHead(308, { location: 'http://93.184.216.35/', range: 'bytes=0-9' }).end()
    })
    const end = await createOutbound({ allow: [] }, net).request(url, get)
    expect(await answered(end)).toMatchObject({ status: 308, headers: { range: 'bytes=0-9' } })
    expect(net.dials).toEqual([`${publicAddress} 80`])
  })

  it('ends the body of an answer that is larger than expected', async () => {
    const net = createFakeNet({}, (_, response) => void response.end('x'.repeat(1001)))
    const end = await createOutbound({ allow: [] }, net).request(url, get)
    expect(isFailure(end) && end.code).toBe('limit_exceeded')
  })

  it('refuses each spelling of a refused address, and credentials in a URL, without a DNS query or a connection', async () => {
    const net = createFakeNet({}, (_, response) => void response.end())
    const outbound = createOutbound({ allow: [] }, net)
    const hosts = [...new Set([...refusedIpv4.flatMap(spellIpv4), ...refusedIpv6.flatMap(spellIpv6)])]
    const urls = [...hosts.map((host) => `http://${host}/`), ...trickUrls, `http://a:b@${publicAddress}/`]
    const reached: string[] = []
    for (const each of urls) {
      const end = await outbound.request(each, get)
      if (!isFailure(end) || end.code !== 'url_forbidden') reached.push(each)
    }
    expect({ reached, lookups: net.lookups, dials: net.dials }).toEqual({ reached: [], lookups: [], dials: [] })
  })
})
