import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Target } from '../target.ts'
import type { Allowance } from './allowance.ts'
import { metered } from './metered.ts'

// RFC 9110, 7.6.1: what is meant for the next hop alone. The length of a body is counted anew where it is not told.
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

/** Hands one plain request on over an open connection, and its answer back; throws where either breaks off. */
export async function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  way: { readonly socket: Duplex; readonly target: Target; readonly allowance: Allowance },
): Promise<void> {
  const { socket, target, allowance } = way
  const onward = request({
    // The connection is the one that was checked: no agent may look for another.
    createConnection: () => socket,
    method: asked.method,
    path: target.url.pathname + target.url.search,
    // The host is the one that was checked, whatever the browser says.
    headers: { ...endToEnd(asked.headers), host: target.url.host, connection: 'close' },
    setHost: false,
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    onward.once('response', resolve)
    onward.once('error', reject)
    // A host that changes the protocol would be out of our sight.
    onward.once('upgrade', () => reject(new Error('upgrade')))
    onward.once('close', () => reject(new Error('closed')))
  })
  // Whoever hears of it first has told.
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
