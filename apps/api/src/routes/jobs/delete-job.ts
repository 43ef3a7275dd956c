import { parseId } from '@lathe/contract'
import { findTasksOfJob } from '@lathe/database'
import { asImport } from '@lathe/operations'
import type { FastifyInstance } from 'fastify'
import { eraseNow } from '../../erase-now.ts'
import { requireNoBody } from '../../http/body.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { stagedKey } from '../../staging.ts'

/** DELETE /v1/process/jobs/{jobId}. */
export function deleteJobRoute(
  app: FastifyInstance,
  { database, orchestrator, store, clock }: Pick<Services, 'database' | 'orchestrator' | 'store' | 'clock'>,
): void {
  app.route({
    ...endpoint('deleteJob'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'jobId'), 'jobId')
      requireNoBody(request.body)
      const caller = callerOf(request)
      const tasks = await findTasksOfJob(database.pool, { ownerId: caller.ownerId, id, now: clock.now() })
      const keys = await orchestrator.deleteJob(caller, id)
      const imports = tasks?.filter(({ operation }) => asImport(operation)?.content) ?? []
      await eraseNow(store, [...keys, ...imports.map((task) => stagedKey(task.id))], request.log)
      return reply.code(200).send()
    },
  })
}
