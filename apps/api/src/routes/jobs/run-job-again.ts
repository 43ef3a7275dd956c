import { parseId, parseJob, toJobAgain } from '@lathe/contract'
import { findJob, findJobWebhook } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { repeatedOf } from '../../creation.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { findSources } from '../find-sources.ts'
import { answerNewJob, sendJob } from './answer-new-job.ts'

/** POST /v1/process/jobs/{jobId}/run-again. */
export function runJobAgainRoute(app: FastifyInstance, services: Services): void {
  const { database, clock, sealer, checkAddress, http } = services
  const rules = { checkAddress, edgesPerJob: http.edgesPerJob }
  app.route({
    ...endpoint('runJobAgain'),
    handler: async (request, reply) => {
      const { ownerId } = callerOf(request)
      const id = parseId(pathParam(request, 'jobId'), 'jobId')
      // A repeated request gets the same answer, even if the files are gone by now.
      const repeated = await repeatedOf(services, request)
      if (repeated) return sendJob(services, request, reply, repeated)
      const now = clock.now()
      const job = await findJob(database.pool, { ownerId, id, now })
      if (!job) throw new Problem('not_found')
      const own = new Set(job.tasks.map((task) => task.id))
      const outside = job.tasks.flatMap(({ dependsOn }) => dependsOn).filter((source) => !own.has(source))
      const [others, webhook] = await Promise.all([
        findSources(database.pool, ownerId, outside),
        findJobWebhook(database.pool, id),
      ])
      const webhookUrl = webhook ? sealer.open(webhook.sealed, id) : null
      const body = toJobAgain({ ...job, webhookUrl, others }, request.body, now)
      return answerNewJob(services, request, reply, parseJob(body, rules))
    },
  })
}
