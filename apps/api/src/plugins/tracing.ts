import { noSpan } from '@lathe/runtime'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'

/**
 * Starts a trace for every request except probes, and ends its span with the answer. A caller's trace is linked, not
 * continued: clients decide neither what is recorded here nor under which id.
 */
export function traceRequests(app: FastifyInstance, { traces }: Pick<Services, 'traces'>): void {
  app.decorateRequest('span', undefined)
  if (!traces.isOn) return

  app.addHook('onRequest', async (request) => {
    const { url: route = 'none', config } = request.routeOptions
    if (config?.isProbe) return
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'lathe.request': request.id }
    const links = [String(request.headers.traceparent ?? '')]
    request.span = traces.begin(`${request.method} ${route}`, { kind: 'server', attributes, links })
  })

  app.addHook('onResponse', async ({ span = noSpan }, { statusCode }) => {
    span.set({ 'http.response.status_code': statusCode })
    span.end(statusCode >= 500 ? String(statusCode) : undefined)
  })
}
