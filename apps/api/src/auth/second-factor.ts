import { parseCode, parseOwnPassword } from '@lathe/contract'
import { invalidField, Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { showUser } from './show-session.ts'
import { countOwnAttempt } from './sign-in-limit.ts'
import {
  type AuthServices,
  actorOf,
  findVisit,
  giveCookie,
  kindOf,
  markBrowser,
  notSignedIn,
  originOf,
  requirePerson,
} from './visit.ts'

/** POST /auth/second-factor: replaces a pending session with a full one. */
export function secondFactorRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.post('/second-factor', { config: { scope: 'public' } }, async (request, reply) => {
    const { code } = parseCode(request.body)
    const { session, login } = (await findVisit(services, request)) ?? {}
    if (!session?.pending || !login) throw notSignedIn()
    const attempt = await countOwnAttempt(services, request, reply, { ...login, kind: 'code' })
    const opened = await database.transaction(async (tx) => {
      if (!(await auth.totp.check(tx, session.userId, code))) return undefined
      await auth.sessions.end(tx, session)
      const whole = { userId: session.userId, kind: kindOf(session), ...originOf(request) }
      const made = await auth.sessions.open(tx, whole)
      const detail = { by: 'password and code' }
      await audit(tx, actorOf(made.session, request), { action: 'session.opened', detail })
      return made
    })
    if (!opened) throw new Problem('unauthorized', { msg: 'The code is wrong, or was used before.' })
    await attempt.succeed()
    giveCookie(services, reply, opened)
    markBrowser(services, reply, login)
    return showUser(services, login.userId, login)
  })
}

/** POST /auth/totp, POST /auth/totp/confirm and DELETE /auth/totp. */
export function totpRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.post('/totp', { config: { scope: 'public' } }, async (request, reply) => {
    const { login } = await requireOwnPassword(services, request, reply)
    return database.transaction((tx) => auth.totp.begin(tx, login))
  })
  app.post('/totp/confirm', { config: { scope: 'public' } }, async (request, reply) => {
    const { code } = parseCode(request.body)
    const { session, login } = await requirePerson(services, request)
    const attempt = await countOwnAttempt(services, request, reply, { ...login, kind: 'change' })
    const recoveryCodes = await database.transaction(async (tx) => {
      const codes = await auth.totp.confirm(tx, login.userId, code)
      if (codes) await audit(tx, actorOf(session, request), { action: 'totp.added' })
      return codes
    })
    if (!recoveryCodes) throw invalidField('code', 'is not what the app shows now.')
    await attempt.succeed()
    return { recoveryCodes }
  })
  app.delete('/totp', { config: { scope: 'public' } }, async (request, reply) => {
    const { session, login } = await requireOwnPassword(services, request, reply)
    await database.transaction(async (tx) => {
      if (!(await auth.totp.remove(tx, login.userId))) throw new Problem('not_found')
      await audit(tx, actorOf(session, request), { action: 'totp.removed' })
    })
    return reply.code(204).send()
  })
}

/** Asks for the password, so that finding an open page is not enough. */
export async function requireOwnPassword(services: AuthServices, request: FastifyRequest, reply: FastifyReply) {
  const { current } = parseOwnPassword(request.body)
  const visit = await requirePerson(services, request)
  const attempt = await countOwnAttempt(services, request, reply, { ...visit.login, kind: 'change' })
  if (!(await services.auth.logins.check(visit.login.email, current))) {
    throw invalidField('current', 'is not your password.')
  }
  await attempt.succeed()
  return visit
}
