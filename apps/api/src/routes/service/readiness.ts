import type { FastifyInstance } from 'fastify'
import { endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'

type Parts = Pick<Services, 'readiness' | 'stopping'>

/** GET /readyz. */
export function readinessRoute(app: FastifyInstance, { readiness, stopping }: Parts): void {
  app.route({
    ...endpoint('readiness', { isProbe: true }),
    handler: async (_request, reply) => {
      const answer = await readiness()
      const status = stopping.signal.aborted ? 'down' : answer.status
      return reply.code(status === 'down' ? 503 : 200).send({ ...answer, status })
    },
  })
}
