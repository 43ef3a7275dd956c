import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { acceptsJson } from '../http/headers.ts'

/** Refuses requests that do not accept JSON on routes that answer with JSON. */
export function requireJsonAccepted(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.anyAccept) return
    if (!acceptsJson(request.headers.accept)) throw new Problem('not_acceptable')
  })
}
