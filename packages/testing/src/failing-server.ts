import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A server for tests that does what real services do rarely, and never on demand. */
export interface FailingServer extends AsyncDisposable {
  readonly url: string
  readonly seen: readonly Seen[]
}

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
}

export async function startFailingServer(
  answer: (request: IncomingMessage & { readonly body: Buffer }, response: ServerResponse, n: number) => void,
): Promise<FailingServer> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const n = seen.push({ method, url, headers })
    // A client that goes away before the end of its request gets no answer.
    const body = await buffer(request).catch(() => undefined)
    if (body) answer(Object.assign(request, { body }), response, n)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export function answerJson(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
