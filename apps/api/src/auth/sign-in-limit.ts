import { createHash } from 'node:crypto'
import { Problem } from '@lathe/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LimitedBy } from '../rate-limiter.ts'
import type { AuthServices } from './visit.ts'

/** An attempt that was counted. */
export interface Attempt {
  /** Takes it back: what succeeds is no guess. */
  succeed(): Promise<void>
}

/**
 * Counts an attempt to guess before it is looked at, for the network it comes from and for the account it is about,
 * whether that exists or not; refuses it past either limit.
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

// An address is nothing to keep in a store of counters.
const nameOf = (email: string) => createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')
