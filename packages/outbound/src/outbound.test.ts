import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Failure, isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import type { OutboundLimits } from './config.ts'
import { createOutbound, type OutboundParts, type OutboundResponse } from './outbound.ts'
import { createFakeNet } from './testing/fake-net.ts'

const zone = { 'a.example.com': [['93.184.216.34']], 'b.example.com': [['93.184.216.35']] }
const { signal } = new AbortController()

interface Asked {
  readonly host: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

function setUp(listener: RequestListener, parts: OutboundParts = {}, limits: Partial<OutboundLimits> = {}) {
  const asked: Asked[] = []
  const net = createFakeNet(zone, (request, response) => {
    asked.push({ host: request.headers.host ?? '', path: request.url ?? '', headers: request.headers })
    listener(request, response)
  })
  const outbound = createOutbound({ allow: [], limits }, { ...net, ...parts })
  const get = (url: string, headers?: Record<string, string>) =>
    outbound.get(url, { signal, maxSize: 1000, ...(headers ? { headers } : {}) })
  return { asked, net, get, outbound }
}

/** Redirects along a list of URLs, then answers. */
function chain(...places: string[]): RequestListener {
  return (request, response) => {
    const next = places[Number(request.url?.slice(1))]
    if (next === undefined) response.end('done')
    else response.writeHead(307, { location: next }).end()
  }
}

async function read(response: OutboundResponse | Failure): Promise<string> {
  return isFailure(response) ? response.code : text(response.body)
}

describe('get', () => {
  it('requests the identity encoding and returns headers, body and final URL', async () => {
    const { asked, get } = setUp((_request, response) => {
      response.setHeader('content-disposition', Buffer.from('attachment; filename="ü.txt"').toString('latin1'))
      response.end('hello')
    })
    const response = await get('http://u:p@a.example.com/x?y#z')
    expect(response).toMatchObject({ status: 200, url: 'http://a.example.com/x?y' })
    expect(response).toHaveProperty('headers.content-disposition', 'attachment; filename="ü.txt"')
    expect(await read(response)).toBe('hello')
    expect(asked[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', authorization: 'Basic dTpw' })
  })

  it.each([
    [401, 'source_unauthorized'],
    [403, 'source_forbidden'],
    [404, 'source_not_found'],
    [410, 'source_not_found'],
    [429, 'source_unreachable'],
    [400, 'source_refused'],
    [418, 'source_refused'],
    [202, 'source_refused'],
    [204, 'source_refused'],
    [206, 'source_refused'],
    [300, 'source_refused'],
    [304, 'source_refused'],
    [500, 'source_unreachable'],
    [503, 'source_unreachable'],
  ])('maps status %i to %s [S-err-15, S-err-16, D-op-42]', async (status, code) => {
    const { get } = setUp((_request, response) => void response.writeHead(status).end())
    expect(await get('http://a.example.com/')).toMatchObject({ kind: 'failure', code })
  })

  it('refuses an encoding it cannot decode', async () => {
    const { get } = setUp(
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(),
    )
    expect(await get('http://a.example.com/')).toMatchObject({ code: 'source_refused' })
  })

  it('sends no caller-made host header', async () => {
    const { asked, get } = setUp((_request, response) => void response.end())
    await get('http://a.example.com/', { Host: 'b.example.com' })
    expect(asked[0]?.host).toBe('a.example.com')
  })
})

describe('redirects', () => {
  it('are followed five times, and no further', async () => {
    const four = setUp(chain('/1', '/2', '/3', '/4'))
    expect(await read(await four.get('http://a.example.com/0'))).toBe('done')
    const five = setUp(chain('/1', '/2', '/3', '/4', '/5'))
    expect(await read(await five.get('http://a.example.com/0'))).toBe('done')
    const six = setUp(chain('/1', '/2', '/3', '/4', '/5', '/6'))
    expect(await six.get('http://a.example.com/0')).toMatchObject({ code: 'source_refused' })
    expect(six.net.dials).toHaveLength(6)
  })

  it('in a loop end after five', async () => {
    const { net, get } = setUp(chain('/0'))
    expect(await get('http://a.example.com/0')).toMatchObject({ code: 'source_refused' })
    expect(net.dials).toHaveLength(6)
  })

  it('without a Location are refused', async () => {
    const { get } = setUp((_request, response) => void response.writeHead(302).end())
    expect(await get('http://a.example.com/')).toMatchObject({ code: 'source_refused' })
  })

  it('keep credentials on the same origin', async () => {
    const { asked, get } = setUp(chain('/1'))
    await get('http://u:p@a.example.com/0', { 'X-Api-Key': 'k' })
    expect(asked[1]?.headers).toMatchObject({ authorization: 'Basic dTpw', 'x-api-key': 'k' })
  })

  it.each(['http://b.example.com/1', 'http://a.example.com:8080/1'])(
    'drop every given header for %s',
    async (place) => {
      const { asked, get } = setUp(chain(place))
      await get('http://u:p@a.example.com/0', { 'X-Api-Key': 'k', Cookie: 'c' })
      expect(Object.keys(asked[1]?.headers ?? {}).sort()).toEqual([
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ])
    },
  )

  it('do not restore credentials with a second one', async () => {
    const { asked, get } = setUp(chain('http://b.example.com/1', 'http://a.example.com/2'))
    await get('http://u:p@a.example.com/0')
    expect(asked.map(({ host, headers }) => [host, 'authorization' in headers])).toEqual([
      ['a.example.com', true],
      ['b.example.com', false],
      ['a.example.com', false],
    ])
  })

  it('cannot bring credentials of their own', async () => {
    const { asked, get } = setUp(chain('http://x:y@b.example.com/1'))
    const response = await get('http://a.example.com/0')
    expect(response).toMatchObject({ url: 'http://b.example.com/1' })
    expect(asked[1]?.headers).not.toHaveProperty('authorization')
  })
})

describe('what cannot be reached', () => {
  const quick = { connectMs: 200, idleMs: 200 }

  const refuse = (code: string) => async () => {
    throw Object.assign(new Error(`connect ${code} 10.0.0.7:80 banner`), { code })
  }
  const causes: Record<string, OutboundParts> = {
    'a closed port': { connect: refuse('ECONNREFUSED') },
    'a filtered port': { connect: () => new Promise(() => {}) },
    'no route': { connect: refuse('EHOSTUNREACH') },
    'a name without addresses': { resolve: async () => [] },
    'a failing name server': { resolve: refuse('ESERVFAIL') },
    'a silent name server': { resolve: () => new Promise(() => {}) },
  }

  it.each(Object.entries(causes))('gives the same error for %s', async (_cause, parts) => {
    const { get } = setUp(() => {}, parts, quick)
    const { detail, ...shown } = (await get('http://a.example.com/')) as Failure
    expect(shown).toEqual({ kind: 'failure', code: 'source_unreachable' })
    expect(detail).not.toMatch(/10\.0\.0\.7|banner/)
  })

  it('gives the same error for a host that never answers', async () => {
    const { get } = setUp(() => {}, {}, quick)
    expect(await get('http://a.example.com/')).toMatchObject({ code: 'source_unreachable' })
  })

  it('is tried at the next checked address when the first does not answer', async () => {
    const dials: string[] = []
    const net = createFakeNet({}, (_request, response) => void response.end('second'))
    const parts: OutboundParts = {
      resolve: async () => ['8.8.8.8', '2606:4700::1'],
      connect: async (address, port, stop) => {
        dials.push(address)
        return address === '8.8.8.8' ? new Promise(() => {}) : net.connect(address, port, stop)
      },
    }
    const { get } = setUp(() => {}, parts, { connectMs: 1000 })
    expect(await read(await get('http://a.example.com/'))).toBe('second')
    expect(dials).toEqual(['8.8.8.8', '2606:4700::1'])
  })
})

describe('stopping', () => {
  it('throws the reason of the caller who stops', async () => {
    const { outbound } = setUp(() => {}, { connect: () => new Promise(() => {}) })
    const stop = new AbortController()
    const getting = outbound.get('http://a.example.com/', { signal: stop.signal, maxSize: 10 })
    stop.abort(new Error('canceled'))
    await expect(getting).rejects.toThrow('canceled')
  })

  it('ends requests in progress when it is closed', async () => {
    const { outbound, get } = setUp((_request, response) => void response.write('first'))
    const response = await get('http://a.example.com/')
    await outbound[Symbol.asyncDispose]()
    await expect(read(response)).rejects.toThrow()
    await expect(get('http://a.example.com/')).rejects.toThrow('closed')
  })
})
