import { parseId } from '@lathe/contract'
import type { FastifyInstance } from 'fastify'
import { eraseNow } from '../../erase-now.ts'
import { requireNoBody } from '../../http/body.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { stagedKey } from '../../staging.ts'

/** DELETE /v1/process/tasks/{taskId}. */
export function deleteTaskRoute(
  app: FastifyInstance,
  { orchestrator, store }: Pick<Services, 'orchestrator' | 'store'>,
): void {
  app.route({
    ...endpoint('deleteTask'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'taskId'), 'taskId')
      requireNoBody(request.body)
      const keys = await orchestrator.deleteTask(callerOf(request), id)
      await eraseNow(store, [...keys, stagedKey(id)], request.log)
      return reply.code(200).send()
    },
  })
}
