import { get as httpGet } from 'node:http'
import { get as httpsGet } from 'node:https'
import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { createOutbound } from './outbound.ts'
import { refusedIpv4, refusedIpv6, spellIpv4, spellIpv6, trickUrls } from './testing/address-spellings.ts'
import { createFakeNet } from './testing/fake-net.ts'
import { TransferFailed } from './transfer-failed.ts'

const publicAddress = '93.184.216.34'
const { signal } = new AbortController()
const hosts = [...new Set([...refusedIpv4.flatMap(spellIpv4), ...refusedIpv6.flatMap(spellIpv6)])]
const urls = [...hosts.map((host) => `http://${host}/`), ...trickUrls]
const send = { signal, headers: {}, body: '{}', timeoutMs: 2_000 }

/** The error of a library that sends a request through the agents; undefined if it gets a response. */
function ask(agent: Parameters<typeof httpGet>[1] & object, secure: boolean): Promise<unknown> {
  return new Promise((done) => {
    const request = (secure ? httpsGet : httpGet)(agent, (response) => {
      response.resume()
      done(undefined)
    })
    request.on('error', done)
  })
}

describe('send', () => {
  it('posts a body to a public address, and returns the start of the response', async () => {
    const net = createFakeNet({ 'hooks.example.com': [[publicAddress]] }, (request, response) => {
      expect(request.method).toBe('POST')
      request.pipe(response.writeHead(207, { 'x-seen': request.headers['x-mine'] }))
    })
    const answer = await createOutbound({ allow: [] }, net).send('http://hooks.example.com/in', {
      ...send,
      headers: { 'x-mine': 'yes' },
      body: 'x'.repeat(9_000),
    })
    expect(answer).toMatchObject({ status: 207, headers: { 'x-seen': 'yes' }, text: 'x'.repeat(4096) })
  })

  it('returns a redirect as the response, and does not follow it', async () => {
    const net = createFakeNet({ 'hooks.example.com': [[publicAddress]] }, (_, response) => {
      response.writeHead(307, { location: 'http://93.184.216.35/' }).end()
    })
    const answer = await createOutbound({ allow: [] }, net).send('http://hooks.example.com/', send)
    expect(answer).toMatchObject({ status: 307 })
    expect(net.dials).toEqual([`${publicAddress} 80`])
  })

  it('limits the time for the response and for its body', async () => {
    const silent = createFakeNet({}, () => {})
    const endless = createFakeNet({}, (_, response) => void response.write('a'))
    const soon = { ...send, timeoutMs: 100 }
    const url = `http://${publicAddress}/`
    expect(await createOutbound({ allow: [] }, silent).send(url, soon)).toMatchObject({ code: 'source_unreachable' })
    expect(await createOutbound({ allow: [] }, endless).send(url, soon)).toMatchObject({ status: 200, text: 'a' })
  })

  it(`refuses each of ${urls.length} spellings without a DNS query or a connection`, async () => {
    const net = createFakeNet({}, (_, response) => void response.end())
    const outbound = createOutbound({ allow: [] }, net)
    const reached: string[] = []
    for (const url of urls) {
      const end = await outbound.send(url, send)
      if (!isFailure(end) || end.code !== 'url_forbidden') reached.push(url)
    }
    expect({ reached, lookups: net.lookups, dials: net.dials }).toEqual({ reached: [], lookups: [], dials: [] })
  })
})

describe('connect', () => {
  it('opens a connection to a public server, on port 22 as well', async () => {
    const net = createFakeNet({ 'files.example.com': [[publicAddress]] }, () => {})
    const outbound = createOutbound({ allow: [] }, net)
    for (const [host, port] of [
      ['files.example.com', 22],
      [publicAddress, 2222],
      ['1572395042', 22],
    ] as const) {
      const socket = await outbound.connect(host, port, signal)
      expect(isFailure(socket)).toBe(false)
      if (!isFailure(socket)) socket.destroy()
    }
    expect(net.dials).toEqual([`${publicAddress} 22`, `${publicAddress} 2222`, `${publicAddress} 22`])
  })

  it(`refuses each of ${hosts.length} spellings of a host without a DNS query or a connection`, async () => {
    const net = createFakeNet({}, () => {})
    const outbound = createOutbound({ allow: [] }, net)
    const bare = hosts.map((host) => host.replace(/^\[|\]$/g, ''))
    const tricks = [
      'localhost',
      'localhost.',
      'a@127.0.0.1',
      'host.example.com/x',
      'a b.example.com',
      'x:22',
      '',
      'db.internal',
    ]
    const reached: string[] = []
    for (const host of [...hosts, ...bare, ...tricks]) {
      const end = await outbound.connect(host, 22, signal)
      if (!isFailure(end) || end.code !== 'url_forbidden') reached.push(host)
    }
    expect({ reached, lookups: net.lookups, dials: net.dials }).toEqual({ reached: [], lookups: [], dials: [] })
  })

  it.each([0, 21, 25, 80, 443, 1023, 5432, 6379, 65_536, Number.NaN])('refuses port %d', async (port) => {
    const net = createFakeNet({}, () => {})
    expect(await createOutbound({ allow: [] }, net).connect(publicAddress, port, signal)).toMatchObject({
      code: 'url_forbidden',
    })
    expect(net.dials).toEqual([])
  })
})

describe('the agents', () => {
  it('end a request to each spelling of a host in ASCII with url_forbidden, without a connection', async () => {
    const net = createFakeNet({}, (_, response) => void response.end('ok'))
    using agents = createOutbound({ allow: [] }, net).openAgents(signal)
    const reached: string[] = []
    // HTTP libraries reject hosts that are not ASCII before they connect.
    const plain = hosts.map((host) => host.replace(/^\[|\]$/g, '')).filter((host) => /^[\x21-\x7e]+$/.test(host))
    expect(plain.length).toBeGreaterThan(500)
    for (const host of plain) {
      for (const secure of [false, true]) {
        const end = await ask({ host, agent: secure ? agents.https : agents.http }, secure)
        if (!(end instanceof TransferFailed) || end.failure.code !== 'url_forbidden') reached.push(host)
      }
    }
    expect({ reached, lookups: net.lookups, dials: net.dials }).toEqual({ reached: [], lookups: [], dials: [] })
  })

  it('refuse a name that resolves to a refused address', async () => {
    const net = createFakeNet({ 'evil.example.com': [['127.0.0.1']] }, () => {})
    using agents = createOutbound({ allow: [] }, net).openAgents(signal)
    const end = await ask({ host: 'evil.example.com', agent: agents.http }, false)
    expect(end).toMatchObject({ failure: { code: 'url_forbidden' } })
    expect(net.dials).toEqual([])
  })
})
