import { limits, parseId, type RawQuery, type TaskFilePage, taskFilesQuery, toTaskFiles } from '@lathe/contract'
import { findTaskWithFiles } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** GET /v1/process/tasks/{taskId}/files. */
export function listTaskFilesRoute(
  app: FastifyInstance,
  { database, links, clock }: Pick<Services, 'database' | 'links' | 'clock'>,
): void {
  app.route({
    ...endpoint('listTaskFiles'),
    handler: async (request) => {
      const { ownerId } = callerOf(request)
      const id = parseId(pathParam(request, 'taskId'), 'taskId')
      const { per_page: limit = limits.filesShown, page = 1 } = taskFilesQuery.read(request.query as RawQuery)
      const now = clock.now()
      const offset = (page - 1) * limit
      const task = await findTaskWithFiles(database.pool, { ownerId, id, now, offset, limit })
      if (!task) throw new Problem('not_found')
      const hasNextPage = offset + limit < task.filesTotal
      return {
        docs: toTaskFiles(task, links.at(now)),
        totalDocs: task.filesTotal,
        page,
        limit,
        hasNextPage,
        nextPage: hasNextPage ? page + 1 : null,
      } satisfies TaskFilePage
    },
  })
}
