import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { waitFor } from './wait-for.ts'

const own = new AsyncDisposableStack()
const atServer: Socket[] = []
let proxy: TcpProxy

beforeAll(async () => {
  const echo = createServer((socket) => {
    atServer.push(socket)
    socket.on('error', () => {})
    socket.pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  own.defer(() => void echo.close())
  proxy = own.use(await startTcpProxy((echo.address() as AddressInfo).port))
})
beforeEach(() => proxy.pass())
afterAll(() => own.disposeAsync())

interface TestClient {
  readonly socket: Socket
  readonly said: () => string
  readonly ends: string[]
}

async function open(): Promise<TestClient> {
  const socket = connect(proxy.port, '127.0.0.1')
  const heard: string[] = []
  const ends: string[] = []
  socket.on('data', (chunk) => heard.push(String(chunk)))
  socket.on('error', (error: NodeJS.ErrnoException) => void ends.push(error.code ?? error.message))
  socket.on('end', () => void ends.push('end'))
  await once(socket, 'connect')
  own.defer(() => void socket.destroy())
  return { socket, said: () => heard.join(''), ends }
}

const echoed = (client: TestClient, text: string) =>
  waitFor(() => client.said().includes(text), { withinMs: 5_000, what: `the echo of ${text}` })

it('passes bytes both ways, also late', async () => {
  const client = await open()
  client.socket.write('one')
  await echoed(client, 'one')
  proxy.delay(100)
  const startedAt = performance.now()
  client.socket.write('two')
  await echoed(client, 'two')
  expect(performance.now() - startedAt).toBeGreaterThan(190)
})

it('drops bytes without an end or a reset, and lets only new connections through afterwards', async () => {
  const before = await open()
  before.socket.write('a')
  await echoed(before, 'a')
  const server = atServer.at(-1)
  proxy.swallow()
  const during = await open()
  before.socket.write('b')
  during.socket.write('c')
  await pause(200)
  proxy.pass()
  const after = await open()
  after.socket.write('d')
  await echoed(after, 'd')
  before.socket.write('e')
  before.socket.end()
  await pause(200)
  expect([before.said(), during.said(), after.said()]).toEqual(['a', '', 'd'])
  expect([before.ends, during.ends, after.ends]).toEqual([[], [], []])
  expect([server?.destroyed, server?.readableEnded]).toEqual([false, false])
})

it('closes existing and new connections with a reset', async () => {
  const client = await open()
  client.socket.write('a')
  await echoed(client, 'a')
  proxy.cut()
  await waitFor(() => client.ends.length > 0, { withinMs: 5_000 })
  expect(client.ends).toEqual(['ECONNRESET'])
  const late = await open().catch((error: NodeJS.ErrnoException) => error.code)
  if (typeof late === 'object') await waitFor(() => late.socket.destroyed, { withinMs: 5_000 })
  proxy.pass()
  const again = await open()
  again.socket.write('b')
  await echoed(again, 'b')
})

it('closes dropped connections at the server only on request', async () => {
  const client = await open()
  client.socket.write('x')
  await echoed(client, 'x')
  const behind = atServer.at(-1)
  proxy.swallow()
  client.socket.destroy()
  await pause(100)
  expect(behind?.destroyed).toBe(false)
  proxy.dropDead()
  await waitFor(() => behind?.destroyed, { withinMs: 5_000, what: 'the end at the server' })
})
