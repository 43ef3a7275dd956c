import { parseSetup, parseSignIn } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { showUser } from './show-session.ts'
import { countAttempt } from './sign-in-limit.ts'
import { type AuthServices, actorOf, findVisit, giveCookie, markBrowser, originOf } from './visit.ts'

/** POST /auth/sign-in. */
export function signInRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.post('/sign-in', { config: { scope: 'public' } }, async (request, reply) => {
    const { email, password, stay = false } = parseSignIn(request.body)
    const attempt = await countAttempt(services, request, reply, email)
    const login = await auth.logins.check(email, password)
    if (!login) throw new Problem('unauthorized', { msg: 'The email address or the password is wrong.' })
    await attempt.succeed()
    const before = await findVisit(services, request)
    const needsCode = await auth.totp.isOn(login.userId)
    const opened = await database.transaction(async (tx) => {
      // Others may know a cookie that existed before the sign-in.
      if (before) await auth.sessions.end(tx, before.session)
      const kind = stay ? 'staying' : 'usual'
      const half = needsCode && ({ pending: 'totp' } as const)
      const made = await auth.sessions.open(tx, { userId: login.userId, kind, ...half, ...originOf(request) })
      const entry = { action: 'session.opened', detail: { by: 'password' } } as const
      if (!needsCode) await audit(tx, actorOf(made.session, request), entry)
      return made
    })
    giveCookie(services, reply, opened)
    if (!needsCode) markBrowser(services, reply, login)
    return needsCode ? { secondFactor: 'totp' } : showUser(services, login.userId, login)
  })
}

/** POST /auth/setup: creates the first administrator and signs it in. */
export function setupRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.post('/setup', { config: { scope: 'public' } }, async (request, reply) => {
    const { link, ...person } = parseSetup(request.body)
    const attempt = await countAttempt(services, request, reply)
    const { login, opened } = await database.transaction(async (tx) => {
      const made = await auth.setup.complete(tx, link, person)
      const session = { userId: made.userId, kind: 'usual', ...originOf(request) } as const
      const first = await auth.sessions.open(tx, session)
      const detail = { email: made.email, isAdmin: true, by: 'setup link' }
      await audit(tx, actorOf(first.session, request), { action: 'account.created', subjectId: made.userId, detail })
      return { login: made, opened: first }
    })
    await attempt.succeed()
    giveCookie(services, reply, opened)
    markBrowser(services, reply, login)
    return reply.code(201).send(await showUser(services, login.userId, login))
  })
}
