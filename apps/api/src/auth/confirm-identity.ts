import { isSessionConfirmed, type LoginRecord, type SessionRecord } from '@lathe/database'
import { invalidField, type ObjectId, Problem } from '@lathe/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import { type Attempt, countOwnAttempt } from './sign-in-limit.ts'
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
  const attempt = await countOwnAttempt(services, request, reply, { ...login, kind: 'change' })
  if (login.passwordHash === null) return attempt
  if (await services.auth.logins.check(login.email, current)) return attempt
  throw invalidField('current', 'is not your password.')
}

/**
 * Refuses what lasts longer than a session, such as an API key, unless its user has signed in or confirmed their
 * identity recently: a page that somebody finds open is not enough. A proxy alone knows when its users signed in.
 */
export async function requireConfirmed(
  { auth, database }: Pick<Services, 'auth' | 'database'>,
  id: ObjectId,
): Promise<void> {
  if (auth?.config.mode === 'proxy') return
  if (await isSessionConfirmed(database.pool, { id, withinS: freshMs / 1000 })) return
  const msg = 'You signed in more than 10 minutes ago. Confirm with your password, or sign out and sign in again.'
  throw new Problem('forbidden', { msg, errors: [{ path: 'current', msg: 'is required.', code: 'required' }] })
}
