import { parseListTasksQuery, type RawQuery, toPage, toTaskView } from '@lathe/contract'
import { listTasks } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withProgress } from '../../with-progress.ts'

/** GET /v1/process/tasks. */
export function listTasksRoute(
  app: FastifyInstance,
  { database, links, clock, progress }: Pick<Services, 'database' | 'links' | 'clock' | 'progress'>,
): void {
  app.route({
    ...endpoint('listTasks'),
    handler: async (request) => {
      const { ownerId } = callerOf(request)
      const { page, ...filter } = parseListTasksQuery(request.query as RawQuery)
      const now = clock.now()
      const { docs, total, capped } = await listTasks(database.pool, { ownerId, now, ...filter })
      const tasks = await withProgress(progress, docs)
      const views = tasks.map((task) => toTaskView(task, links.at(now)))
      return toPage(views, { total, capped, page, limit: filter.limit })
    },
  })
}
