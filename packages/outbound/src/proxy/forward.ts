import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Target } from '../target.ts'
import type { Allowance } from './allowance.ts'
import { metered } from './metered.ts'

// RFC 9110, 7.6.1: headers that are only for the next hop. The length of a body is computed again if it is not given.
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Forwards one plain request over an open connection, and returns its response. Throws if either breaks off. */
export async function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  way: { readonly socket: Duplex; readonly target: Target; readonly allowance: Allowance },
): Promise<void> {
  const { socket, target, allowance } = way
  const onward = request({
    // The connection was checked: no agent may open another one.
    createConnection: () => socket,
    method: asked.method,
    path: target.url.pathname + target.url.search,
    // The Host header is that of the checked host, whatever the browser sends.
    headers: { ...endToEnd(asked.headers), host: target.url.host, connection: 'close' },
    setHost: false,
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    onward.once('response', resolve)
    onward.once('error', reject)
    // After a protocol upgrade the traffic could no longer be checked.
    onward.once('upgrade', () => reject(new Error('upgrade')))
    onward.once('close', () => reject(new Error('closed')))
  })
  // If sending the request fails first, `answered` is never awaited: its rejection must not end the process.
  answered.catch(() => {})
  await pipeline(asked, metered(allowance), onward)
  const response = await answered
  answer.writeHead(response.statusCode ?? 502, endToEnd(response.headers))
  await pipeline(response, metered(allowance), answer)
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.has(name)))
}
