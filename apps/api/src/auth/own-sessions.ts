import { parseId, parsePasswordChange } from '@lathe/contract'
import { type Executor, listKeysOfUser, type SessionRecord, withdrawDeviceCodes } from '@lathe/database'
import { invalidField, Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireNoBody } from '../http/body.ts'
import { pathParam } from '../route-config.ts'
import { countOwnAttempt } from './sign-in-limit.ts'
import {
  type AuthServices,
  actorIn,
  actorOf,
  findVisit,
  giveCookie,
  markBrowser,
  notSignedIn,
  requirePerson,
  requireVisit,
} from './visit.ts'

/** POST /auth/sign-out. */
export function signOutRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.post('/sign-out', { config: { scope: 'public' } }, async (request, reply) => {
    requireNoBody(request.body)
    // Users who have not shown their second factor may sign out too.
    const visit = await findVisit(services, request)
    if (!visit) throw notSignedIn()
    const { session, login } = visit
    await database.transaction(async (tx) => {
      await auth.sessions.end(tx, session)
      if (login) await audit(tx, actorOf(session, request), { action: 'session.ended', subjectId: session.id })
    })
    return reply.header('set-cookie', auth.cookie.remove()).code(204).send()
  })
}

/** GET /auth/sessions, DELETE /auth/sessions/:id. */
export function sessionsRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.get('/sessions', { config: { scope: 'public' } }, async (request) => {
    const { session: current } = await requireVisit(services, request)
    const found = await auth.sessions.list(current.userId)
    return { data: found.map((session) => toView(session, current)) }
  })
  app.delete('/sessions/:id', { config: { scope: 'public' } }, async (request, reply) => {
    requireNoBody(request.body)
    const { session: current } = await requireVisit(services, request)
    const id = parseId(pathParam(request, 'id'), 'id')
    await database.transaction(async (tx) => {
      const hasEnded = await auth.sessions.end(tx, { id, userId: current.userId })
      if (!hasEnded) throw new Problem('not_found')
      await audit(tx, actorOf(current, request), { action: 'session.ended', subjectId: id })
    })
    if (id === current.id) reply.header('set-cookie', auth.cookie.remove())
    return reply.code(204).send()
  })
}

/** POST /auth/password: ends the other sessions and gives this one a new cookie. */
export function passwordRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.post('/password', { config: { scope: 'public' } }, async (request, reply) => {
    const { current, password, revokeKeys = false } = parsePasswordChange(request.body)
    const { session, login } = await requirePerson(services, request)
    const attempt = await countOwnAttempt(services, request, reply, { ...login, kind: 'change' })
    if (!(await auth.logins.check(login.email, current))) throw invalidField('current', 'is not your password.')
    await attempt.succeed()
    const cookie = await database.transaction(async (tx) => {
      await auth.logins.setPassword(tx, login, password)
      await auth.sessions.endOthers(tx, session.userId, session.id)
      await audit(tx, actorOf(session, request), { action: 'password.changed' })
      // A key that somebody else has asked for must not arrive after the change.
      await withdrawDeviceCodes(tx, session.userId)
      if (revokeKeys) await revokeKeysOf(services, tx, session, request)
      return auth.sessions.renew(tx, session)
    })
    if (cookie !== undefined) giveCookie(services, reply, { session, cookie })
    markBrowser(services, reply, login)
    return reply.code(204).send()
  })
}

/** Revokes the keys that a user has created, with an entry in the log of each owner. */
async function revokeKeysOf(
  { keys, audit }: AuthServices,
  tx: Executor,
  session: SessionRecord,
  request: FastifyRequest,
): Promise<void> {
  for (const { id, ownerId, name } of await listKeysOfUser(tx, session.userId)) {
    if (!(await keys.revokeKey(id, { ownerId, tx }))) continue
    const detail = { name, keepLinks: false, by: 'password change' }
    await audit(tx, actorIn(ownerId, session, request), { action: 'key.revoked', subjectId: id, detail })
  }
}

function toView({ id, createdAt, lastUsedAt, address, userAgent }: SessionRecord, current: SessionRecord) {
  return { id, current: id === current.id, createdAt, lastUsedAt, address, userAgent }
}
