import { parseId, type RawQuery, taskQuery, toTaskView } from '@lathe/contract'
import { findJob, findTask } from '@lathe/database'
import { isOpen, Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { holdAnswer } from '../../hold-answer.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withQueue } from '../../waiting/with-queue.ts'
import { withOwnProgress } from '../../with-progress.ts'

/** GET /v1/process/tasks/{taskId}. */
export function showTaskRoute(app: FastifyInstance, services: Services): void {
  const { database, links, clock, progress, queueLook } = services
  app.route({
    ...endpoint('showTask'),
    handler: async (request, reply) => {
      const { ownerId } = callerOf(request)
      const id = parseId(pathParam(request, 'taskId'), 'taskId')
      const { include } = taskQuery.read(request.query as RawQuery)
      const task = await holdAnswer(services, request, reply, {
        id,
        look: () => findTask(database.pool, { ownerId, id, now: clock.now() }),
        isOver: ({ status }) => !isOpen(status),
      })
      if (!task) throw new Problem('not_found')
      const now = clock.now()
      const job =
        include?.includes('job') && task.jobId
          ? await findJob(database.pool, { ownerId, id: task.jobId, now })
          : undefined
      const [shown = task] = await withQueue(queueLook, [await withOwnProgress(progress, task)])
      return toTaskView(shown, links.at(now), job)
    },
  })
}
