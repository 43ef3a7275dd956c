import { parseId } from '@lathe/contract'
import type { FastifyInstance } from 'fastify'
import { eraseNow } from '../../erase-now.ts'
import { requireNoBody } from '../../http/no-body.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** DELETE /v1/process/jobs/{jobId}. */
export function deleteJobRoute(
  app: FastifyInstance,
  { orchestrator, store }: Pick<Services, 'orchestrator' | 'store'>,
): void {
  app.route({
    ...endpoint('deleteJob'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'jobId'), 'jobId')
      requireNoBody(request.body)
      const keys = await orchestrator.deleteJob(callerOf(request), id)
      await eraseNow(store, keys, request.log)
      return reply.code(200).send()
    },
  })
}
