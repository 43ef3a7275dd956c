import type { TLSSocket } from 'node:tls'
import { compile, default as proxyAddress } from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../../services.ts'

type IncomingMessage = FastifyRequest['raw']

/** What the door of the sockets knows about a request, before any key is shown. */
export interface Gate {
  /** Why a request is refused, if it is. One that opens a session is counted for its address. */
  refusalOf(request: IncomingMessage): Promise<'https_required' | 'origin' | 'rate_limited' | undefined>
  addressOf(request: IncomingMessage): string
}

/**
 * The rules of the other endpoints for connections that do not pass the framework: HTTPS, pages of known origins
 * alone, and nobody whose address has used up its rate.
 */
export function createGate({ http, limiter }: Pick<Services, 'http' | 'limiter'>): Gate {
  const trusts = compile([...http.trustedProxies])
  const origins = new Set([new URL(http.publicUrl).origin, ...http.corsOrigins])

  function isHttps(request: IncomingMessage): boolean {
    const forwarded = request.headers['x-forwarded-proto']
    if (typeof forwarded === 'string' && trusts(request.socket.remoteAddress ?? '', 0)) {
      return forwarded.split(',').at(-1)?.trim() === 'https'
    }
    return (request.socket as TLSSocket).encrypted === true
  }

  const addressOf = (request: IncomingMessage) => proxyAddress(request, trusts) ?? ''

  return {
    addressOf,
    async refusalOf(request) {
      if (!http.allowHttp && !isHttps(request)) return 'https_required'
      const { origin } = request.headers
      // Programs send none. A page cannot forge its own, so another site's is kept out even if it got hold of a key.
      if (origin !== undefined && !origins.has(origin)) return 'origin'
      const address = addressOf(request)
      const verdict = await (isOpening(request) ? limiter.take('address', address) : limiter.look('address', address))
      return verdict.allowed ? undefined : 'rate_limited'
    },
  }
}

/** Only later requests of a session carry its id. */
function isOpening({ url = '' }: IncomingMessage): boolean {
  return !new URLSearchParams(url.split('?')[1] ?? '').get('sid')
}
