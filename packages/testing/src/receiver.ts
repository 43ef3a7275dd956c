import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One request as the receiver of a webhook saw it. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: readonly Received[]
  /** The most requests that were open at once. */
  readonly mostAtOnce: number
}

/** Answers a request, or leaves it open. */
type Answer = (response: ServerResponse, received: Received) => void

/** A stranger's server on loopback that keeps what it was sent. */
export async function startReceiver(answer: Answer): Promise<Receiver> {
  const received: Received[] = []
  let open = 0
  let mostAtOnce = 0
  const server = createServer(async (request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++open)
    response.once('close', () => open--)
    const one = { path: request.url ?? '', headers: request.headers, body: await text(request) }
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

/** Answers with a status and nothing more. */
export function answersWith(code: number, headers: Record<string, string> = {}): Answer {
  return (response) => void response.writeHead(code, headers).end()
}
