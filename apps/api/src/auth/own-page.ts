import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Methods that change nothing. */
const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Guards every change that is authorized by a cookie: the request must come from a page of this service, sent by a
 * script, as JSON. Browsers send `Origin` with every such request, and no page can change it.
 */
export function requireOwnPage(app: FastifyInstance, publicUrl: string): void {
  const { origin, protocol, hostname } = new URL(publicUrl)
  // Browsers send Sec-Fetch-Site only to hosts they consider secure.
  const namesSite = protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

  function findFault({ headers }: FastifyRequest): string | undefined {
    if (headers.origin !== origin) return `Open the page as ${origin}: this request came from elsewhere.`
    const site = headers['sec-fetch-site']
    if (site !== 'same-origin' && (namesSite || site !== undefined)) return 'This request came from another site.'
    return undefined
  }

  app.addHook('onRequest', async (request) => {
    if (safe.has(request.method)) return
    const fault = findFault(request)
    if (fault !== undefined) throw new Problem('forbidden', { msg: fault })
    if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) {
      throw new Problem('unsupported_media_type', { msg: 'Send the body as `Content-Type: application/json`.' })
    }
  })
  app.addHook('preHandler', async ({ method, body }) => {
    if (safe.has(method)) return
    if (typeof body === 'object' && body !== null) return
    throw new Problem('invalid_request', { msg: 'The body must be a JSON object: {} if it has no fields.' })
  })
}
