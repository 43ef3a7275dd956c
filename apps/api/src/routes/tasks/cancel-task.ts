import { parseId, toTaskView } from '@lathe/contract'
import type { TaskRecord } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { idempotencyOf, sendReplay } from '../../creation.ts'
import { requireNoBody } from '../../http/no-body.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** POST /v1/process/tasks/{taskId}/cancel. */
export function cancelTaskRoute(
  app: FastifyInstance,
  { orchestrator, links, clock }: Pick<Services, 'orchestrator' | 'links' | 'clock'>,
): void {
  const view = (task: TaskRecord) => toTaskView(task, links.at(clock.now()))
  app.route({
    ...endpoint('cancelTask'),
    handler: async (request, reply) => {
      const id = parseId(pathParam(request, 'taskId'), 'taskId')
      requireNoBody(request.body)
      const idempotency = idempotencyOf<TaskRecord>(request, (task) => ({ status: 200, body: view(task) }))
      const answer = await orchestrator.cancelTask(callerOf(request), id, idempotency)
      return answer.kind === 'replayed' ? sendReplay(reply, answer) : view(answer.record)
    },
  })
}
