import { parseAccountDeletion } from '@lathe/contract'
import type { LoginRecord, SessionRecord } from '@lathe/database'
import { invalidField, Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countAttempt } from './sign-in-limit.ts'
import { type AuthServices, actorOf, requirePerson } from './visit.ts'

/** DELETE /auth/account: deletes the signed-in user and everything they own. */
export function ownAccountRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth, database } = services
  app.delete('/account', { config: { scope: 'public' } }, async (request, reply) => {
    const { current } = parseAccountDeletion(request.body)
    const { session, login } = await requirePerson(services, request)
    if (login.passwordHash === null) requireFreshSession(session)
    else await requirePassword({ services, request, reply }, login, current)
    await database.transaction((tx) => auth.deleteAccount(tx, login, actorOf(session, request)))
    return reply.header('set-cookie', auth.cookie.remove()).code(204).send()
  })
}

const freshMs = 10 * 60_000

/** Who has no password shows that it is them by signing in. */
function requireFreshSession({ createdAt }: SessionRecord): void {
  if (Date.now() - createdAt.getTime() < freshMs) return
  throw new Problem('forbidden', {
    msg: 'You signed in more than 10 minutes ago. Sign out, sign in again and repeat this.',
  })
}

interface Exchange {
  readonly services: AuthServices
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function requirePassword(
  { services, request, reply }: Exchange,
  { email }: LoginRecord,
  current = '',
): Promise<void> {
  const attempt = await countAttempt(services, request, reply, email)
  if (!(await services.auth.logins.check(email, current))) throw invalidField('current', 'is not your password.')
  await attempt.succeed()
}
