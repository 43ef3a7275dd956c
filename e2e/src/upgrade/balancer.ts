import { once } from 'node:events'
import { createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { waitFor } from '@lathe/testing'

/**
 * Distributes requests over apis like a load balancer: in turn, to those that are ready. An api is left out after three
 * failures of `/readyz` (no response, or not 200); while all are left out, all are tried.
 */
export interface Balancer extends AsyncDisposable {
  readonly url: string
  /** Adds an api and waits until it is ready. */
  add(url: string): Promise<void>
  remove(url: string): void
}

const askMs = 300
const answerMs = 2_000
const mostMisses = 3

/**
 * Listens on a free loopback port. A request goes to another api only if the first refused the connection: then it
 * cannot have seen the request. In all other cases the client gets 502.
 */
export async function startBalancer(): Promise<Balancer> {
  // How often in a row each api was not ready.
  const misses = new Map<string, number>()
  let turn = 0

  async function ask(url: string): Promise<void> {
    const signal = AbortSignal.timeout(answerMs)
    const isReady = await fetch(`${url}/readyz`, { signal }).then(
      async (answer) => (await answer.bytes()) && answer.status === 200,
      () => false,
    )
    const before = misses.get(url)
    if (before !== undefined) misses.set(url, isReady ? 0 : before + 1)
  }

  function candidates(): readonly string[] {
    const all = [...misses.keys()]
    const ready = all.filter((url) => (misses.get(url) ?? 0) < mostMisses)
    const chosen = ready.length > 0 ? ready : all
    turn += 1
    return chosen.map((_, n) => chosen[(n + turn) % chosen.length] ?? '')
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Kept, so that it can be sent again.
    const body = await buffer(request)
    for (const url of candidates()) {
      try {
        return await forward({ url, request, response, body })
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (code !== 'ECONNREFUSED') return refuse(response, 502, `${code ?? message} from ${url}`)
      }
    }
    refuse(response, 503, 'no api accepts connections')
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asking = setInterval(() => void Promise.all([...misses.keys()].map(ask)), askMs)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add(url) {
      misses.set(url, mostMisses)
      await waitFor(() => misses.get(url) === 0, { withinMs: 60_000, what: `readiness of ${url}` })
    },
    remove: (url) => void misses.delete(url),
    async [Symbol.asyncDispose]() {
      clearInterval(asking)
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Forwarded {
  readonly url: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
}

/** Forwards a request over a separate connection, and its response back. */
async function forward({ url, request, response, body }: Forwarded): Promise<void> {
  const { connection: _, 'transfer-encoding': __, ...headers } = request.headers
  const target = openRequest(new URL(request.url ?? '/', url), {
    method: request.method ?? 'GET',
    headers: { ...headers, 'content-length': body.length },
    agent: false,
  })
  target.end(body)
  const [answer] = (await once(target, 'response')) as [IncomingMessage]
  const { connection: ___, ...answered } = answer.headers
  response.writeHead(answer.statusCode ?? 502, answered)
  await pipeline(answer, response)
}

function refuse(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
}
