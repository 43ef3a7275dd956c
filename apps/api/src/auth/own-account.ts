import { toEmailChangeMail } from '@lathe/accounts'
import { parseAccountDeletion, parseConfirmation, parseProfile } from '@lathe/contract'
import { confirmSession, type LoginRecord } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { confirmIdentity } from './confirm-identity.ts'
import { showVisit } from './show-session.ts'
import { type AuthServices, actorOf, requirePerson } from './visit.ts'

/** DELETE /auth/account: deletes the signed-in user and everything they own. */
export function ownAccountRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth, database } = services
  app.delete('/account', { config: { scope: 'public' } }, async (request, reply) => {
    const { current } = parseAccountDeletion(request.body)
    const visit = await requirePerson(services, request)
    const attempt = await confirmIdentity({ services, request, reply }, visit, current)
    await attempt.succeed()
    await database.transaction((tx) => auth.deleteAccount(tx, visit.login, actorOf(visit.session, request)))
    return reply.header('set-cookie', auth.cookie.remove()).code(204).send()
  })
}

/** POST /auth/confirm: allows for some minutes what an open page alone does not allow. */
export function confirmRoute(app: FastifyInstance, services: AuthServices): void {
  app.post('/confirm', { config: { scope: 'public' } }, async (request, reply) => {
    const { current } = parseConfirmation(request.body)
    const visit = await requirePerson(services, request)
    const attempt = await confirmIdentity({ services, request, reply }, visit, current)
    await attempt.succeed()
    await confirmSession(services.database.pool, visit.session.id)
    return reply.code(204).send()
  })
}

/** PATCH /auth/account: changes the name and the email address of the signed-in user. */
export function profileRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth, database } = services
  app.patch('/account', { config: { scope: 'public' } }, async (request, reply) => {
    const { current, ...change } = parseProfile(request.body)
    const visit = await requirePerson(services, request)
    const actor = actorOf(visit.session, request)
    if (change.email !== undefined && !auth.mayChangeEmail) {
      throw new Problem('forbidden', {
        msg: 'The identity provider decides which email address belongs to an account.',
      })
    }
    // The answer tells whether an address is taken, so attempts to find one are limited.
    const attempt =
      change.email === undefined ? undefined : await confirmIdentity({ services, request, reply }, visit, current)
    const login = await database.transaction((tx) => auth.changeProfile(tx, change, actor))
    await attempt?.succeed()
    if (login.email !== visit.login.email) mailOldAddress(services, request, visit.login.email, login)
    return showVisit(services, { ...visit, login })
  })
}

/** Sends a mail to the previous address if there is a mail server. Nobody waits for it: the change is done. */
function mailOldAddress(
  { auth }: AuthServices,
  request: FastifyRequest,
  from: string,
  { name, email: to }: LoginRecord,
): void {
  auth
    .sendMail?.(toEmailChangeMail({ from, to, name, at: new Date() }))
    .catch((err: unknown) => request.log.warn({ err }, 'change of email address not mailed'))
}
