import { createHash } from 'node:crypto'
import { isKey } from '@lathe/accounts'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf } from '../http/bearer.ts'
import type { LimitedBy, RateVerdict } from '../rate-limiter.ts'
import type { Services } from '../services.ts'

/**
 * Limits requests per key, and per address where there is no key. A key that only looks like one is
 * held against its address as well (see authentication), so inventing keys buys nothing.
 */
export function limitRate(app: FastifyInstance, { limiter, metrics }: Pick<Services, 'limiter' | 'metrics'>): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isProbe) return
    const { by, id } = subjectOf(request)
    const verdict = await limiter.take(by, id)
    tell(reply, verdict)
    if (verdict.allowed) return
    metrics.rateLimited.inc({ by })
    refuse(reply, verdict)
  })
}

/** Refuses a request for its rate. */
export function refuse(reply: FastifyReply, { resetS }: Pick<RateVerdict, 'resetS'>): never {
  reply.header('retry-after', resetS)
  throw new Problem('rate_limited')
}

function subjectOf(request: FastifyRequest): { by: LimitedBy; id: string } {
  return limitedBy(bearerOf(request.headers.authorization), request.ip)
}

/** What a caller is counted as: its key, or its address where there is none. */
export function limitedBy(key: string | undefined, address: string): { by: LimitedBy; id: string } {
  if (key === undefined || !isKey(key)) return { by: 'address', id: address }
  return { by: 'key', id: createHash('sha256').update(key).digest('base64url') }
}

function tell(reply: FastifyReply, { limit, remaining, resetS }: RateVerdict): void {
  reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': resetS })
}
