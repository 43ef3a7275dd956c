import { expandJob, parseJob, presetsOfJob } from '@lathe/contract'
import type { FastifyInstance } from 'fastify'
import { callerOf, endpoint } from '../../route-config.ts'
import type { Services } from '../../services.ts'
import { findKnownPresets } from '../presets/find-known-presets.ts'
import { answerNewJob } from './answer-new-job.ts'

/** POST /v1/process/jobs. */
export function createJobRoute(app: FastifyInstance, services: Services): void {
  const { checkAddress, http } = services
  const rules = { checkAddress, edgesPerJob: http.edgesPerJob }
  app.route({
    ...endpoint('createJob'),
    handler: async (request, reply) => {
      const { body } = request
      const presets = await findKnownPresets(services, callerOf(request), presetsOfJob(body))
      return answerNewJob(services, request, reply, parseJob(expandJob(body, presets), rules))
    },
  })
}
