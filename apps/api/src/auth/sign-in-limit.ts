import { createHash } from 'node:crypto'
import { normalizeEmail } from '@lathe/accounts'
import type { ObjectId } from '@lathe/domain'
import { Problem } from '@lathe/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../http/client-address.ts'
import type { LimitedBy } from '../rate-limiter.ts'
import type { AuthServices } from './visit.ts'

/** An attempt that was counted. */
export interface Attempt {
  /** Removes it from the count: a success is no guess. */
  succeed(): Promise<void>
}

/** What an attempt is counted for. It is refused beyond any of these limits. */
type Counts = readonly (readonly [LimitedBy, string])[]

/**
 * Counts an attempt to sign in before it is checked: for its network, for its account in that network, even if that
 * account does not exist, and for the account in all networks, where the limit is higher, because strangers can reach
 * it. A browser in which the user has signed in before has a count of its own.
 */
export async function countAttempt(
  services: AuthServices,
  request: FastifyRequest,
  reply: FastifyReply,
  email?: string,
): Promise<Attempt> {
  const network = ['signInAddress', request.ip] as const
  if (email === undefined) return takeAny(services, reply, [[network]])
  const account = nameOf(email)
  const known = services.auth.knownBrowsers.find(request.headers.cookie, email)
  const anywhere: Counts = [
    network,
    ['signInAccount', `${account} ${networkOf(request.ip)}`],
    ['signInAccountTotal', account],
  ]
  if (known === undefined) return takeAny(services, reply, [anywhere])
  const here: Counts = [
    ['signInAccount', `browser ${known}`],
    // Whoever had the password once may hold any number of marks.
    ['signInAccountTotal', `known ${account}`],
  ]
  return takeAny(services, reply, [here, anywhere])
}

/**
 * Counts a guess that only those can make who have the password or a session: a second factor, the password that
 * confirms a change, or the code of a program. Strangers cannot use up this count.
 */
export async function countOwnAttempt(
  services: AuthServices,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    kind,
    userId,
    email,
  }: { readonly kind: 'code' | 'change' | 'device'; readonly userId: ObjectId; readonly email: string },
): Promise<Attempt> {
  const ofUser: Counts = [['signInAccount', `${kind} ${userId}`]]
  const known = kind === 'code' ? services.auth.knownBrowsers.find(request.headers.cookie, email) : undefined
  if (known === undefined) return takeAny(services, reply, [ofUser])
  return takeAny(services, reply, [[['signInAccount', `code browser ${known}`]], ofUser])
}

/** Counts an attempt for the first of several possibilities that allows it. */
async function takeAny(services: AuthServices, reply: FastifyReply, possible: readonly Counts[]): Promise<Attempt> {
  const { limiter, metrics } = services
  let refused: readonly [LimitedBy, number] | undefined
  for (const counts of possible) {
    refused = await take(services, counts)
    if (refused) continue
    return {
      async succeed() {
        for (const [by, id] of counts) await limiter.giveBack(by, id)
      },
    }
  }
  const [by, resetS] = refused ?? ['signInAccount', 1]
  metrics.rateLimited.inc({ by })
  reply.header('retry-after', resetS)
  throw new Problem('rate_limited', { msg: `Too many attempts. Try again in ${Math.ceil(resetS / 60)} minutes.` })
}

/** Returns the limit that was reached, and for how many seconds. */
async function take({ limiter }: AuthServices, counts: Counts): Promise<readonly [LimitedBy, number] | undefined> {
  for (const [by, id] of counts) {
    const { allowed, resetS } = await limiter.take(by, id)
    if (!allowed) return [by, resetS]
  }
  return undefined
}

// Hashed, because a store of counters should not hold email addresses.
const nameOf = (email: string) => createHash('sha256').update(normalizeEmail(email)).digest('base64url')
