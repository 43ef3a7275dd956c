import { Readable } from 'node:stream'
import { type Job, jobsQuery, limits, type RawQuery, readPage, toJobSummary, toJobView, toPage } from '@lathe/contract'
import { type JobRow, listJobs, loadTasksOfJobs } from '@lathe/database'
import type { FastifyInstance } from 'fastify'
import { pageInPieces } from '../../http/page-in-pieces.ts'
import { idleReaderMs, setIdleLimit } from '../../plugins/idle-guard.ts'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withTaskProgress } from '../../with-progress.ts'

type Parts = Pick<Services, 'database' | 'links' | 'clock' | 'progress' | 'counts'>

// Keeps at most 400 tasks in memory at once.
const jobsAtOnce = 4
const filesAtOnce = 400

/** GET /v1/process/jobs. */
export function listJobsRoute(app: FastifyInstance, parts: Parts): void {
  const { database, clock, counts } = parts
  app.route({
    ...endpoint('listJobs'),
    handler: async (request, reply) => {
      const { ownerId } = callerOf(request)
      const {
        page: number,
        include,
        ...filter
      } = readPage(
        jobsQuery,
        request.query as RawQuery,
        // Up to 100 tasks each.
        (given) => (given.include?.includes('tasks') ? limits.jobsWithTasksPerPage : limits.perPageMax),
      )
      const now = clock.now()
      const { docs, ...place } = await listJobs(database.pool, { ownerId, now, counts, ...filter })
      const page = toPage(docs.map(toJobSummary), { ...place, page: number, limit: filter.limit })
      if (!include?.includes('tasks')) return page
      const views = viewsOf(parts, docs, now)
      // Before anything is sent, so that a failure here can still be answered.
      const first = await views.next()
      setIdleLimit(request, idleReaderMs)
      const pieces = pageInPieces(page, first.done ? views : after(first.value, views))
      return reply.type('application/json; charset=utf-8').send(Readable.from(pieces, { objectMode: false }))
    },
  })
}

async function* viewsOf(
  { database, links, progress }: Parts,
  jobs: readonly JobRow[],
  now: Date,
): AsyncGenerator<Job, undefined> {
  for (let at = 0; at < jobs.length; at += jobsAtOnce) {
    const loaded = await loadTasksOfJobs(database.pool, jobs.slice(at, at + jobsAtOnce), filesAtOnce)
    const shown = await withTaskProgress(progress, loaded)
    for (const job of shown) yield toJobView(job, links.at(now))
  }
}

async function* after<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* others
}
