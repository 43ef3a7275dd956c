import type { FastifyInstance } from 'fastify'
import { pathOf } from '../route-config.ts'
import { checksumAlgorithms, tusExtensions, tusVersion } from '../routes/files/resumable/tus-headers.ts'
import type { Services } from '../services.ts'

/** Answers OPTIONS with the supported parts of the tus protocol. */
export function announceTus(app: FastifyInstance, { http }: Pick<Services, 'http'>): void {
  const facts = {
    'tus-version': tusVersion,
    'tus-extension': tusExtensions,
    'tus-max-size': http.maxFileBytes,
    'tus-checksum-algorithm': checksumAlgorithms.join(','),
  }
  app.addHook('onRequest', async (request, reply) => {
    const isAsked = request.method === 'OPTIONS' && /^\/v1\/uploads\/[^/]+\/[^/]+\/tus(\/|$)/.test(pathOf(request))
    if (isAsked) reply.headers(facts)
  })
}
