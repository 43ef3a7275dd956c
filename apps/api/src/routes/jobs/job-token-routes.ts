import { parseId, parseJobToken, toJobTokenView } from '@lathe/contract'
import { findJob, findJobTokenById, type JobRecord, type JobTokenRecord, listJobTokens } from '@lathe/database'
import { Problem } from '@lathe/domain'
import { oncePerKey } from '@lathe/orchestrator'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { currentOf, idempotencyOf } from '../../creation.ts'
import { requireNoBody } from '../../http/body.ts'
import { callerOf, endpoint, pathParam } from '../../route-config.ts'
import type { Services } from '../../services.ts'

/** Creates, lists and revokes tokens that may read one job. */
export function jobTokenRoutes(app: FastifyInstance, services: Services): void {
  const { database, jobTokens, clock } = services

  async function loadJob(request: FastifyRequest): Promise<JobRecord> {
    const id = parseId(pathParam(request, 'jobId'), 'jobId')
    const job = await findJob(database.pool, { ownerId: callerOf(request).ownerId, id, now: clock.now() })
    if (!job) throw new Problem('not_found')
    return job
  }

  app.route({
    ...endpoint('listJobTokens'),
    handler: async (request) => {
      const { id: jobId, ownerId } = await loadJob(request)
      const tokens = await listJobTokens(database.pool, { ownerId, jobId })
      return { tokens: tokens.map(toJobTokenView) }
    },
  })

  app.route({
    ...endpoint('createJobToken'),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const job = await loadJob(request)
      const wanted = parseJobToken(request.body, job, clock.now())
      const idempotency = idempotencyOf(request)
      const answer = await database.transaction((tx) =>
        oncePerKey(tx, services, caller, idempotency, () => jobTokens.create(tx, caller, job.id, wanted)),
      )
      const made = await currentOf<JobTokenRecord & { token?: string }>(reply, answer, (id) =>
        findJobTokenById(database.pool, { ownerId: caller.ownerId, id }),
      )
      return reply.code(201).send({ ...toJobTokenView(made), token: made.token ?? null })
    },
  })

  app.route({
    ...endpoint('revokeJobToken'),
    handler: async (request, reply) => {
      const { ownerId } = callerOf(request)
      const jobId = parseId(pathParam(request, 'jobId'), 'jobId')
      const id = parseId(pathParam(request, 'tokenId'), 'tokenId')
      requireNoBody(request.body)
      if (!(await jobTokens.revoke({ ownerId, jobId, id }))) throw new Problem('not_found')
      return reply.code(200).send()
    },
  })
}
