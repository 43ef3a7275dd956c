// biome-ignore lint/style/noRestrictedImports: it serves on loopback, and reaches nobody.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Dial } from '@lathe/outbound'

/** What a path answers: a page, or whatever a function says. */
export type Route = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** Pages on loopback, and what was asked of them. */
export interface PageServer extends AsyncDisposable {
  readonly port: number
  readonly origin: string
  readonly asked: string[]
}

/** Serves pages on an address of loopback. A path without a route is answered by 404. */
export async function servePages(routes: Readonly<Record<string, Route>>, address = '127.0.0.1'): Promise<PageServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    asked.push(request.url ?? '')
    // A page of another origin may read the answer: what it cannot reach it could not show otherwise, either.
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

/** A dialer that writes down every dial and makes only those to 127.0.0.1: nothing of a test leaves the machine. */
export function recordingDial(dials: string[]): Dial {
  return (address, port) => {
    dials.push(`${address}:${port}`)
    if (address !== '127.0.0.1') return Promise.reject(new Error('tests dial loopback alone'))
    const socket = connect({ host: address, port })
    return new Promise((resolve, reject) => {
      // One that has been opened tells whoever uses it.
      socket.on('error', reject)
      socket.once('connect', () => resolve({ socket, remoteAddress: socket.remoteAddress }))
    })
  }
}
