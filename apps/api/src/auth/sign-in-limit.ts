import { createHash } from 'node:crypto'
import { Problem } from '@lathe/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LimitedBy } from '../rate-limiter.ts'
import type { AuthServices } from './visit.ts'

/** An attempt that was counted. */
export interface Attempt {
  /** Removes it from the count: a success is no guess. */
  succeed(): Promise<void>
}

/**
 * Counts an attempt before it is checked, for its network and for its account, even if that account does not exist;
 * refuses it beyond either limit.
 */
export async function countAttempt(
  { limiter, metrics }: AuthServices,
  request: FastifyRequest,
  reply: FastifyReply,
  account?: string,
): Promise<Attempt> {
  const counted: [LimitedBy, string][] = [['signInAddress', request.ip]]
  if (account !== undefined) counted.push(['signInAccount', nameOf(account)])
  for (const [by, id] of counted) {
    const { allowed, resetS } = await limiter.take(by, id)
    if (allowed) continue
    metrics.rateLimited.inc({ by })
    reply.header('retry-after', resetS)
    throw new Problem('rate_limited', { msg: `Too many attempts. Try again in ${Math.ceil(resetS / 60)} minutes.` })
  }
  return {
    async succeed() {
      for (const [by, id] of counted) await limiter.giveBack(by, id)
    },
  }
}

// Hashed, because a store of counters should not hold email addresses.
const nameOf = (email: string) => createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')
