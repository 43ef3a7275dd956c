import { type RawQuery, readPage, tasksQuery, toPage, toTaskView } from '@lathe/contract'
import { listTasks } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withQueue } from '../../waiting/with-queue.ts'
import { withProgress } from '../../with-progress.ts'

/** GET /v1/process/tasks. */
export function listTasksRoute(
  app: FastifyInstance,
  {
    database,
    links,
    clock,
    progress,
    queueLook,
    counts,
  }: Pick<Services, 'database' | 'links' | 'clock' | 'progress' | 'queueLook' | 'counts'>,
): void {
  app.route({
    ...endpoint('listTasks'),
    handler: async (request) => {
      const { ownerId } = callerOf(request)
      const { page, ...filter } = readPage(tasksQuery, request.query as RawQuery)
      const now = clock.now()
      const { docs, ...place } = await listTasks(database.pool, { ownerId, now, counts, ...filter })
      const tasks = await withQueue(queueLook, await withProgress(progress, docs))
      const views = tasks.map((task) => toTaskView(task, links.at(now)))
      return toPage(views, { ...place, page, limit: filter.limit })
    },
  })
}
