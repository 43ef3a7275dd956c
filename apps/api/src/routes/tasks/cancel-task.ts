import { parseId, toTaskView } from '@lathe/contract'
import { findTask, type TaskRecord } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { currentOf, idempotencyOf } from '../../creation.ts'
import { requireNoBody } from '../../http/body.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** POST /v1/process/tasks/{taskId}/cancel. */
export function cancelTaskRoute(
  app: FastifyInstance,
  { database, orchestrator, links, clock }: Pick<Services, 'database' | 'orchestrator' | 'links' | 'clock'>,
): void {
  const view = (task: TaskRecord) => toTaskView(task, links.at(clock.now()))
  app.route({
    ...endpoint('cancelTask'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'taskId'), 'taskId')
      requireNoBody(request.body)
      const caller = callerOf(request)
      const answer = await orchestrator.cancelTask(caller, id, idempotencyOf(request))
      const look = () => findTask(database.pool, { ownerId: caller.ownerId, id, now: clock.now() })
      return view(await currentOf(reply, answer, look))
    },
  })
}
