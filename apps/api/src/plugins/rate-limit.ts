import { type ObjectId, Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { CallerCounter } from '../caller-counter.ts'
import { bearerOf } from '../http/headers.ts'
import type { LimitedBy, RateVerdict } from '../rate-limiter.ts'
import type { Services } from '../services.ts'

type Parts = Pick<Services, 'limiter' | 'metrics'>

/**
 * Limits requests per key, and per IP address without a valid key. The routes of forms and links count their own
 * requests.
 */
export function limitRate(app: FastifyInstance, parts: Parts & { readonly callers: CallerCounter }): void {
  app.decorateRequest('isKeyInvented', false)
  app.addHook('onRequest', async (request, reply) => {
    const { isProbe, isFree, countsOwner } = request.routeOptions.config
    if (isProbe || isFree || countsOwner) return
    const { by, verdict, isInvented } = await parts.callers.count(bearerOf(request.headers.authorization), request.ip)
    request.isKeyInvented = isInvented === true
    heedLimit(parts, reply, by, verdict)
  })
}

/** Counts tasks before they are created, regardless of the number of requests. */
export async function countTasks(parts: Parts, reply: FastifyReply, ownerId: ObjectId, count: number): Promise<void> {
  const { allowed, limit, resetS } = await parts.limiter.take('tasks', ownerId, count)
  if (allowed) return
  parts.metrics.rateLimited.inc({ by: 'tasks' })
  reply.header('retry-after', resetS)
  throw new Problem('rate_limited', { msg: `You may create ${limit} tasks per minute. Wait for ${resetS} s.` })
}

/** Sends a client the state of its limit, and refuses the request beyond it. */
export function heedLimit({ metrics }: Parts, reply: FastifyReply, by: LimitedBy, verdict: RateVerdict): void {
  const { allowed, limit, remaining, resetS } = verdict
  reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': resetS })
  if (allowed) return
  metrics.rateLimited.inc({ by })
  reply.header('retry-after', resetS)
  throw new Problem('rate_limited')
}
