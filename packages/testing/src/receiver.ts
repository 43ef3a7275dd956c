import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One request as received by a webhook endpoint. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: readonly Received[]
  /** The highest number of requests open at the same time. */
  readonly mostAtOnce: number
}

/** Answers a request, or leaves it open. */
type Answer = (response: ServerResponse, received: Received) => void

/** A server on loopback that records the requests it receives. */
export async function startReceiver(answer: Answer): Promise<Receiver> {
  const received: Received[] = []
  let open = 0
  let mostAtOnce = 0
  const server = createServer(async (request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++open)
    response.once('close', () => open--)
    // A sender that goes away before the end of its request gets no answer.
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const one = { path: request.url ?? '', headers: request.headers, body }
    received.push(one)
    answer(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get mostAtOnce() {
      return mostAtOnce
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Responds with a status and an empty body. */
export function answersWith(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => void response.writeHead(code, headers).end()
}
