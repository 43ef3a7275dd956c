import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound, type Outbound, type ProxyOptions } from '../outbound.ts'
import { refusedIpv4, refusedIpv6, spellIpv4, spellIpv6, trickUrls } from '../testing/address-spellings.ts'
import { createFakeNet } from '../testing/fake-net.ts'
import { flood, serveHttp, serveRaw } from '../testing/loopback.ts'

const publicAddress = '93.184.216.34'
const { signal } = new AbortController()
const hosts = [...new Set([...refusedIpv4.flatMap(spellIpv4), ...refusedIpv6.flatMap(spellIpv6)])]

let folder: string
let count = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-proxy-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function open(outbound: Outbound, limits: ProxyOptions['limits'] = {}) {
  const socketPath = join(folder, `${++count}.sock`)
  const proxy = await outbound.openProxy(socketPath, { signal, limits })
  return { proxy, socketPath }
}

/** The response that a browser gets to a plain request. */
async function ask(socketPath: string, url: string, options: { method?: string; body?: string } = {}) {
  const asked = request({ socketPath, path: url, method: options.method ?? 'GET', headers: { 'x-mine': 'yes' } })
  asked.end(options.body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

/** The response that a browser gets to a CONNECT request: its status, and the connection. */
async function tunnel(socketPath: string, authority: string): Promise<{ status: number; socket: Socket }> {
  const socket = connect(socketPath)
  socket.on('error', () => {})
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(String(head))?.[1]), socket }
}

describe('a proxy', () => {
  it('forwards plain requests to the checked address, and requests for itself nowhere [D-op-59]', async () => {
    const net = createFakeNet({ 'www.example.com': [[publicAddress]] }, (asked, answer) => {
      const { host, connection, 'x-mine': mine, 'proxy-connection': proxied } = asked.headers
      answer.writeHead(207, { 'x-seen': [host, connection, mine, proxied, asked.method, asked.url].join(' ') })
      asked.pipe(answer)
    })
    const { proxy, socketPath } = await open(createOutbound({ allow: [] }, net))
    await using _ = proxy
    const answer = await ask(socketPath, 'http://www.example.com/a?b', { method: 'POST', body: 'hello' })
    expect(answer).toMatchObject({ status: 207, body: 'hello' })
    expect(answer.headers['x-seen']).toBe('www.example.com close yes  POST /a?b')
    expect({ lookups: net.lookups, dials: net.dials }).toEqual({
      lookups: ['www.example.com'],
      dials: [`${publicAddress} 80`],
    })
    expect(proxy.report()).toEqual({ requests: 1, bytes: 10, spent: undefined, failures: new Map() })
  })

  it('opens tunnels and passes bytes both ways', async () => {
    await using server = await serveRaw((socket) => socket.end('pong'))
    const { proxy, socketPath } = await open(createOutbound({ allow: ['127.0.0.1/32'] }))
    await using _ = proxy
    const { status, socket } = await tunnel(socketPath, `127.0.0.1:${server.port}`)
    expect(status).toBe(200)
    socket.write('ping')
    expect(await text(socket)).toBe('pong')
    expect(proxy.report()).toMatchObject({ requests: 1, bytes: 8 })
  })

  it('distinguishes refused hosts from those that do not answer', async () => {
    const net = createFakeNet({ 'rebound.example.com': [[publicAddress, '127.0.0.1']] }, () => {})
    const { proxy, socketPath } = await open(createOutbound({ allow: [] }, net))
    await using _ = proxy
    expect((await ask(socketPath, 'http://rebound.example.com/')).status).toBe(403)
    expect((await ask(socketPath, 'http://nowhere.example.com/')).status).toBe(502)
    expect((await tunnel(socketPath, '169.254.169.254:80')).status).toBe(403)
    expect(Object.fromEntries([...proxy.report().failures].map(([place, { code }]) => [place, code]))).toEqual({
      'rebound.example.com:80': 'url_forbidden',
      'nowhere.example.com:80': 'source_unreachable',
      '169.254.169.254:80': 'url_forbidden',
    })
    expect(net.dials).toEqual([])
  })

  it(`connects to none of ${hosts.length} spellings of forbidden hosts, by plain request or tunnel [A12]`, async () => {
    const net = createFakeNet({}, (_, answer) => void answer.end())
    const { proxy, socketPath } = await open(createOutbound({ allow: [] }, net), { requests: 1e9 })
    await using _ = proxy
    const passed: string[] = []
    for (const host of hosts) {
      // A browser would not send characters that are invalid in a request line.
      if (/[^\x21-\x7e]/.test(host)) continue
      if ((await ask(socketPath, `http://${host}/`)).status !== 403) passed.push(`http://${host}/`)
      const { status, socket } = await tunnel(socketPath, `${host}:443`)
      socket.destroy()
      if (status !== 403 && status !== 400) passed.push(`${host}:443`)
    }
    for (const url of trickUrls.filter((trick) => /^[\x21-\x7e]+$/.test(trick))) {
      // An invalid request is cut off.
      const { status } = await ask(socketPath, url).catch(() => ({ status: 'cut off' }))
      if (status !== 403 && status !== 'cut off') passed.push(url)
    }
    expect({ passed, lookups: net.lookups, dials: net.dials }).toEqual({ passed: [], lookups: [], dials: [] })
  })

  it('refuses requests beyond their number [L-page-requests]', async () => {
    const net = createFakeNet({}, (_, answer) => void answer.end('x'))
    const { proxy, socketPath } = await open(createOutbound({ allow: [] }, net), { requests: 2 })
    await using _ = proxy
    const statuses: (number | undefined)[] = []
    for (let n = 0; n < 3; n += 1) statuses.push((await ask(socketPath, `http://${publicAddress}/`)).status)
    expect(statuses).toEqual([200, 200, 403])
    expect(net.dials).toHaveLength(2)
    expect(proxy.report().spent).toBe('requests')
  })

  it('aborts transfers over the byte limit, in a tunnel as well [L-page-bytes]', async () => {
    await using endless = await serveRaw((socket) => void flood(socket, Buffer.alloc(65_536), 64_000_000))
    const { proxy, socketPath } = await open(createOutbound({ allow: ['127.0.0.1/32'] }), { bytes: 1_000_000 })
    await using _ = proxy
    const { socket } = await tunnel(socketPath, `127.0.0.1:${endless.port}`)
    socket.write('x')
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    await once(socket, 'close')
    expect(received).toBeLessThanOrEqual(1_000_000)
    expect(proxy.report()).toMatchObject({ spent: 'bytes' })
    expect((await tunnel(socketPath, `127.0.0.1:${endless.port}`)).status).toBe(403)
  })

  it('closes all connections when it closes, and removes its socket', async () => {
    await using server = await serveHttp(() => {})
    const { proxy, socketPath } = await open(createOutbound({ allow: ['127.0.0.1/32'] }))
    const { socket } = await tunnel(socketPath, `127.0.0.1:${server.port}`)
    const closed = once(socket, 'close')
    await proxy[Symbol.asyncDispose]()
    await closed
    await expect.poll(() => server.connections(), { timeout: 20_000 }).toBe(0)
    await expect(stat(socketPath)).rejects.toThrow('ENOENT')
  })
})

describe('the judgement of an address', () => {
  const outbound = createOutbound(
    { allow: ['127.0.0.1/32'] },
    createFakeNet({}, () => {}),
  )

  it('needs no DNS query', () => {
    expect(outbound.judge('https://www.example.com/')).toBeUndefined()
    expect(outbound.judge('http://127.0.0.1:8080/')).toBeUndefined()
    for (const url of ['http://127.0.0.2/', 'ftp://www.example.com/', 'http://localhost/', 'nonsense']) {
      expect(outbound.judge(url)).toMatchObject({ code: 'url_forbidden' })
    }
  })
})
