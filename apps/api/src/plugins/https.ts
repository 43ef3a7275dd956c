import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'

/** Refuses plain HTTP. The framework trusts X-Forwarded-Proto only if the connection comes from a trusted proxy. */
export function requireHttps(app: FastifyInstance, { http, log }: Pick<Services, 'http' | 'log'>): void {
  if (http.allowHttp) {
    log.warn('LATHE_ALLOW_HTTP is set: API keys and files travel unencrypted. Never do this on a public network.')
    return
  }
  app.addHook('onRequest', async (request) => {
    if (request.protocol !== 'https' && !request.routeOptions.config.isProbe) throw new Problem('https_required')
  })
}
