import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { createOutbound } from './outbound.ts'
import { refusedIpv4, refusedIpv6, spellIpv4, spellIpv6, trickUrls } from './testing/address-spellings.ts'
import { createFakeNet, type FakeNet, type Zone } from './testing/fake-net.ts'

const publicAddress = '93.184.216.34'
const publicAddress6 = '2606:4700::6810:84e5'
const { signal } = new AbortController()

const spellings = [...refusedIpv4.flatMap(spellIpv4), ...refusedIpv6.flatMap(spellIpv6)]
const urls = [...new Set([...spellings.map((host) => `http://${host}/file.jpg`), ...trickUrls])]

function get(net: FakeNet, url: string) {
  return createOutbound({ allow: [] }, net).get(url, { signal, maxSize: 1000 })
}

/** A host that redirects `hops` times to itself, the last time to `location`. */
function redirector(hops: number, location: string): RequestListener {
  return (request, response) => {
    const hop = Number(request.url?.slice(1))
    response.writeHead(302, { location: hop < hops ? `/${hop + 1}` : Buffer.from(location).toString('latin1') }).end()
  }
}

const serve: RequestListener = (_request, response) => void response.end('reached')

describe('control: requests that are allowed', () => {
  it('connects to a public address and returns its response', async () => {
    const net = createFakeNet({ 'files.example.com': [[publicAddress, publicAddress6]] }, serve)
    const response = await get(net, 'http://files.example.com/file.jpg')
    expect(isFailure(response) ? response : await text(response.body)).toBe('reached')
    expect(net.dials).toEqual([`${publicAddress} 80`])
  })

  it.each([
    `http://${publicAddress}/`,
    `http://[${publicAddress6}]/`,
    'http://1572395042/',
    'http://0x5db8d822:8080/',
    'http://[2606:4700::6810:84e5]:3000/',
    'HTTP://93。184。216。34/',
  ])('connects to %s', async (url) => {
    const net = createFakeNet({}, serve)
    expect(await get(net, url)).toMatchObject({ status: 200 })
    expect(net.dials).toHaveLength(1)
  })

  it.each([1, 3, 5])('follows %i redirects to a public address', async (hops) => {
    const net = createFakeNet({ 'hop.example.com': [[publicAddress]] }, (request, response) => {
      if (request.headers.host === 'end.example.net:8080') return void response.end('reached')
      redirector(hops, 'http://end.example.net:8080/')(request, response)
    })
    const resolve = net.resolve
    const outbound = createOutbound(
      { allow: [] },
      { ...net, resolve: async (name, s) => (name === 'end.example.net' ? [publicAddress6] : resolve(name, s)) },
    )
    expect(await outbound.get('http://hop.example.com/1', { signal, maxSize: 100 })).toMatchObject({ status: 200 })
    expect(net.dials).toEqual([...Array<string>(hops).fill(`${publicAddress} 80`), `${publicAddress6} 8080`])
  })

  it('connects to a private address that the operator allowed, in that spelling only', async () => {
    const net = createFakeNet({}, serve)
    const outbound = createOutbound({ allow: ['127.0.0.1/32'] }, net)
    const ask = (url: string) => outbound.get(url, { signal, maxSize: 100 })
    expect(await ask('http://127.0.0.1:8080/')).toMatchObject({ status: 200 })
    expect(await ask('http://127.0.0.2:8080/')).toMatchObject({ code: 'url_forbidden' })
    expect(await ask('http://[::ffff:127.0.0.1]:8080/')).toMatchObject({ code: 'url_forbidden' })
    expect(await ask('http://localhost:8080/')).toMatchObject({ code: 'url_forbidden' })
    expect(net.dials).toEqual(['127.0.0.1 8080'])
  })
})

describe(`${urls.length} spellings of forbidden addresses`, () => {
  it('are at least 120', () => {
    expect(urls.length).toBeGreaterThanOrEqual(120)
  })

  it('are refused when given directly, without a DNS query or a connection [D-op-40]', async () => {
    const net = createFakeNet({}, serve)
    const reached: string[] = []
    for (const url of urls) {
      const end = await get(net, url)
      if (!isFailure(end) || end.code !== 'url_forbidden') reached.push(url)
    }
    expect(reached).toEqual([])
    expect(net.lookups).toEqual([])
    expect(net.dials).toEqual([])
  })

  // All URLs at the first hop, and every fourth at later hops, where only the number of hops differs.
  it.each([
    [1, 1],
    [3, 4],
    [5, 4],
  ])('are refused as the target of redirect %i', { timeout: 60_000 }, async (hops, every) => {
    const wrong: string[] = []
    for (const url of urls.filter(isRedirectable).filter((_, n) => n % every === 0)) {
      const net = createFakeNet({ 'hop.example.com': [[publicAddress]] }, redirector(hops, url))
      const end = await get(net, 'http://hop.example.com/1')
      const refused = isFailure(end) && end.code === 'url_forbidden'
      const dialled = net.dials.filter((dial) => dial !== `${publicAddress} 80`)
      if (!refused || dialled.length > 0 || net.dials.length !== hops) wrong.push(`${url} ${net.dials.join()}`)
    }
    expect(wrong).toEqual([])
  })
})

/** A Location with line breaks cannot be sent, and one without scheme or host is a path on the same host. */
function isRedirectable(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what Node refuses to send
  return /^[a-z]+:/i.test(url) && !/[\u0000-\u001f]/.test(url) && !/^http:\/?[^/\\]/i.test(url)
}

describe('names that resolve to refused addresses', () => {
  const addresses = [...refusedIpv4, ...refusedIpv6, 'fe80::1%eth0', `${publicAddress6}%eth0`, 'nonsense', '']

  const ways: Record<string, (address: string) => Zone[string]> = {
    'by an A or AAAA record': (address) => [[address]],
    'by an AAAA record beside a public A record': (address) => [[publicAddress, address]],
    'by one of ten records': (address) => [
      [...Array.from({ length: 9 }, (_, n) => `93.184.216.${n + 1}`).toSpliced(5, 0, address)],
    ],
    'by the last record of many': (address) => [[...Array.from({ length: 40 }, (_, n) => `8.8.4.${n}`), address]],
  }

  it.each(Object.entries(ways))('are refused without a connection when they resolve %s', async (_way, records) => {
    for (const address of addresses) {
      const net = createFakeNet({ 'evil.example.com': records(address) }, serve)
      expect(await get(net, 'http://evil.example.com/'), address).toMatchObject({ code: 'url_forbidden' })
      expect(net.dials, address).toEqual([])
    }
  })

  it('are refused behind an alias, of which the resolver shows only the final addresses', async () => {
    const net = createFakeNet({ '127.0.0.1.nip.example.com': [['127.0.0.1']] }, serve)
    expect(await get(net, 'http://127.0.0.1.nip.example.com/')).toMatchObject({ code: 'url_forbidden' })
    expect(net.dials).toEqual([])
  })

  it('are resolved once: the checked address is the one connected to, whatever a second DNS response contains', async () => {
    for (const address of addresses) {
      const net = createFakeNet({ 'rebind.example.com': [[publicAddress], [address]] }, serve)
      expect(await get(net, 'http://rebind.example.com/')).toMatchObject({ status: 200 })
      expect(net.lookups).toEqual(['rebind.example.com'])
      expect(net.dials).toEqual([`${publicAddress} 80`])
    }
  })

  it('are refused when they turn private between two redirects of the same host', async () => {
    for (const address of addresses) {
      const zone = { 'rebind.example.com': [[publicAddress], [publicAddress], [address]] }
      const net = createFakeNet(zone, redirector(9, '/'))
      expect(await get(net, 'http://rebind.example.com/1')).toMatchObject({ code: 'url_forbidden' })
      expect(net.dials).toEqual([`${publicAddress} 80`, `${publicAddress} 80`])
    }
  })
})

describe('a connection to another address than the checked one', () => {
  it.each(['127.0.0.1', '::ffff:93.184.216.34', '93.184.216.35', undefined])(
    'is closed before anything is sent: %s',
    async (remoteAddress) => {
      let written = 0
      const net = createFakeNet({}, () => {
        written += 1
      })
      const end = await createOutbound(
        { allow: ['127.0.0.1/32'] },
        {
          connect: async (...dialled) => {
            const { socket } = await net.connect(...dialled)
            const write = socket.write
            socket.write = (...args: unknown[]) => {
              written += 1
              return Reflect.apply(write, socket, args) as boolean
            }
            return { socket, remoteAddress }
          },
        },
      ).get(`http://${publicAddress}/`, { signal, maxSize: 1000 })
      expect(end).toMatchObject({ code: 'url_forbidden' })
      expect(written).toBe(0)
    },
  )
})
