import { redactUrl } from '@lathe/runtime'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'

/** Gives every answer its request id and security headers, and counts and logs it. */
export function addRequestContext(app: FastifyInstance, { metrics }: Pick<Services, 'metrics'>): void {
  app.decorateRequest('caller', undefined)

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const seconds = reply.elapsedTime / 1000
    metrics.requestDuration.observe({ method: request.method, route, status: reply.statusCode }, seconds)
    request.log.info(
      {
        method: request.method,
        url: redactUrl(maskToken(request.url)),
        status: reply.statusCode,
        tookMs: Math.round(reply.elapsedTime),
        ...(request.caller && { ownerId: request.caller.ownerId }),
      },
      'request',
    )
  })
}

// The URL of an upload form contains its secret in the path.
function maskToken(url: string): string {
  return url.replace(/^(\/v1\/uploads\/[^/]+\/)[^/?]+/i, '$1***')
}
