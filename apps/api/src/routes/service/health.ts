import type { FastifyInstance } from 'fastify'
import { endpoint } from '../../route-config.ts'

/** GET /healthz. */
export function healthRoute(app: FastifyInstance): void {
  app.route({ ...endpoint('health', { isProbe: true }), handler: async () => ({ status: 'ok' }) })
}
