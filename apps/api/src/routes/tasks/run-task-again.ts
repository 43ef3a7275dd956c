import { parseId, parseTask, toTaskAgain } from '@lathe/contract'
import { findTask } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { repeatedOf } from '../../creation.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { findSources } from '../find-sources.ts'
import { answerNewTask, sendTask } from './answer-new-task.ts'

/** POST /v1/process/tasks/{taskId}/run-again. */
export function runTaskAgainRoute(app: FastifyInstance, services: Services): void {
  const { database, clock } = services
  app.route({
    ...endpoint('runTaskAgain'),
    handler: async (request, reply) => {
      const { ownerId } = callerOf(request)
      const id = parseId(pathParam(request, 'taskId'), 'taskId')
      const repeated = await repeatedOf(services, request)
      if (repeated) return sendTask(services, request, reply, repeated)
      const now = clock.now()
      const task = await findTask(database.pool, { ownerId, id, now })
      if (!task) throw new Problem('not_found')
      const others = await findSources(database.pool, ownerId, task.dependsOn)
      const body = toTaskAgain(task, others, request.body, now)
      return answerNewTask(services, request, reply, parseTask(task.operation, body))
    },
  })
}
