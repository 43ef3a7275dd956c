// biome-ignore lint/style/noRestrictedImports: it serves on loopback, and reaches nobody.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Dial } from '@lathe/outbound'

/** The response of a path: a page, or what a function writes. */
export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** Pages on loopback, and the requests they received. */
export interface PageServer extends AsyncDisposable {
  readonly port: number
  readonly origin: string
  readonly asked: string[]
}

/** Serves pages on a loopback address. A path without a route gets a 404. */
export async function servePages(routes: Readonly<Record<string, Route>>, address = '127.0.0.1'): Promise<PageServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    asked.push(request.url ?? '')
    // Lets pages of other origins read the response: otherwise CORS, and not the rules under test, could block them.
    response.setHeader('access-control-allow-origin', '*')
    const route = routes[path] ?? routes['*'] ?? ((_, answer) => void answer.writeHead(404).end('not here'))
    if (typeof route === 'string') response.setHeader('content-type', 'text/html; charset=utf-8').end(route)
    else route(request, response)
  })
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, address, done))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://${address}:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** A dialer that records every dial and connects only to 127.0.0.1: no test connects to another machine. */
export function recordingDial(dials: string[]): Dial {
  return (address, port) => {
    dials.push(`${address}:${port}`)
    if (address !== '127.0.0.1') return Promise.reject(new Error('tests dial loopback alone'))
    const socket = connect({ host: address, port })
    return new Promise((resolve, reject) => {
      // Once it is open, its user handles errors.
      socket.on('error', reject)
      socket.once('connect', () => resolve({ socket, remoteAddress: socket.remoteAddress }))
    })
  }
}
