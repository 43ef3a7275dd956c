import type { LoginRecord, SessionRecord } from '@lathe/database'
import { invalidField, Problem } from '@lathe/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Attempt, countAttempt } from './sign-in-limit.ts'
import type { AuthServices } from './visit.ts'

interface Exchange {
  readonly services: AuthServices
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface SignedIn {
  readonly session: SessionRecord
  readonly login: LoginRecord
}

const freshMs = 10 * 60_000

/**
 * Users confirm their identity by their password, or by a recent sign-in if they have none. It counts as an attempt to
 * sign in until the caller reports success.
 */
export async function confirmIdentity(
  { services, request, reply }: Exchange,
  { session, login }: SignedIn,
  current = '',
): Promise<Attempt> {
  const isFresh = Date.now() - session.createdAt.getTime() < freshMs
  if (login.passwordHash === null && !isFresh) {
    throw new Problem('forbidden', {
      msg: 'You signed in more than 10 minutes ago. Sign out, sign in again and repeat this.',
    })
  }
  const attempt = await countAttempt(services, request, reply, login.email)
  if (login.passwordHash === null) return attempt
  if (await services.auth.logins.check(login.email, current)) return attempt
  throw invalidField('current', 'is not your password.')
}
