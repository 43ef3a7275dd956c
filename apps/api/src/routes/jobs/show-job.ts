import { parseId, toJobView } from '@lathe/contract'
import { findJob, type JobRecord } from '@lathe/database'
import { canMoveJob, Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { holdAnswer } from '../../hold-answer.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { withQueue } from '../../waiting/with-queue.ts'
import { withTaskProgress } from '../../with-progress.ts'

/** Whether a job has ended. */
export function isJobOver({ status }: JobRecord): boolean {
  return !canMoveJob(status, 'failed')
}

/** GET /v1/process/jobs/{jobId}. */
export function showJobRoute(app: FastifyInstance, services: Services): void {
  const { database, links, clock, progress, queueLook } = services
  app.route({
    ...endpoint('showJob'),
    handler: async (request, reply) => {
      const { ownerId } = callerOf(request)
      const id = parseId(pathParam(request, 'jobId'), 'jobId')
      const job = await holdAnswer(services, request, reply, {
        id,
        look: () => findJob(database.pool, { ownerId, id, now: clock.now() }),
        isOver: isJobOver,
      })
      if (!job) throw new Problem('not_found')
      const [shown = job] = await withTaskProgress(progress, [job])
      const tasks = await withQueue(queueLook, shown.tasks)
      return toJobView({ ...shown, tasks }, links.at(clock.now()))
    },
  })
}
