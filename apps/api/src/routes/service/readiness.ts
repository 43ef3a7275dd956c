import type { FastifyInstance } from 'fastify'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** GET /readyz. */
export function readinessRoute(app: FastifyInstance, { readiness }: Pick<Services, 'readiness'>): void {
  app.route({
    ...endpoint('readiness', { isProbe: true }),
    handler: async (_request, reply) => {
      const answer = await readiness()
      return reply.code(answer.status === 'down' ? 503 : 200).send(answer)
    },
  })
}
