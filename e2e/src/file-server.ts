import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A third-party web server, for imports from URLs. */
export interface FileServer extends AsyncDisposable {
  readonly url: string
  /** How often each path was requested. */
  readonly visits: ReadonlyMap<string, number>
}

/** Serves paths with their handlers on loopback; anything else is 404. */
export async function startFileServer(handlers: Readonly<Record<string, Handler>>): Promise<FileServer> {
  const visits = new Map<string, number>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    visits.set(pathname, (visits.get(pathname) ?? 0) + 1)
    const handler = handlers[pathname]
    if (handler) handler(request, response)
    else response.writeHead(404).end('no such file')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export function sends(bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}): Handler {
  return (_request, response) => response.writeHead(200, { ...headers }).end(bytes)
}

export function answers(status: number, headers: Readonly<Record<string, string>> = {}): Handler {
  return (_request, response) => response.writeHead(status, { ...headers }).end('not the file')
}

/** Starts a file and never ends it: an import of it stays in `processing`. */
export const stalls: Handler = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000000' })
  response.write('the beginning')
}
