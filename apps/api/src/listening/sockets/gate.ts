import type { TLSSocket } from 'node:tls'
import { compile, default as proxyAddress } from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../../services.ts'

type IncomingMessage = FastifyRequest['raw']

/** Checks requests for sockets before a key is sent. */
export interface Gate {
  /** The reason to refuse a request, if any. A request that opens a session is counted for its IP address. */
  refusalOf(request: IncomingMessage): Promise<'https_required' | 'origin' | 'rate_limited' | undefined>
  addressOf(request: IncomingMessage): string
}

/**
 * Applies the rules of the other endpoints to connections that bypass the framework: HTTPS, known origins, and the rate
 * limit of the IP address.
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
      // Programs send no Origin. A page cannot forge its own, so other sites are refused even if they got hold of a
      // key.
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
