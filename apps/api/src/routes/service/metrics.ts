import type { FastifyInstance } from 'fastify'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** GET /metrics. */
export function metricsRoute(app: FastifyInstance, { metrics }: Pick<Services, 'metrics'>): void {
  app.route({
    ...endpoint('metrics', { isProbe: true }),
    handler: async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  })
}
