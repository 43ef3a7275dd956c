import { parseListJobsQuery, type RawQuery, toJobSummary, toJobView, toPage } from '@lathe/contract'
import { listJobs } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withTaskProgress } from '../../with-progress.ts'

/** GET /v1/process/jobs. */
export function listJobsRoute(
  app: FastifyInstance,
  { database, links, clock, progress, counts }: Pick<Services, 'database' | 'links' | 'clock' | 'progress' | 'counts'>,
): void {
  app.route({
    ...endpoint('listJobs'),
    handler: async (request) => {
      const { ownerId } = callerOf(request)
      const { page, ...filter } = parseListJobsQuery(request.query as RawQuery)
      const now = clock.now()
      const { docs, ...place } = await listJobs(database.pool, { ownerId, now, counts, ...filter })
      const jobs = filter.includeTasks ? await withTaskProgress(progress, docs) : docs
      const views = jobs.map((job) => (filter.includeTasks ? toJobView(job, links.at(now)) : toJobSummary(job)))
      return toPage(views, { ...place, page, limit: filter.limit })
    },
  })
}
