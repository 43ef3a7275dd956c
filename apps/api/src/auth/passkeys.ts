import { parseId, parsePasskey, parsePasskeyName, parsePasskeySignIn } from '@lathe/contract'
import type { PasskeyRecord } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { requireNoBody } from '../http/body.ts'
import { pathParam } from '../route-config.ts'
import { requireOwnPassword } from './second-factor.ts'
import { showUser } from './show-session.ts'
import { countAttempt } from './sign-in-limit.ts'
import { type AuthServices, actorOf, findVisit, giveCookie, markBrowser, originOf, requirePerson } from './visit.ts'

/**
 * GET /auth/passkeys, POST /auth/passkeys/options and /confirm, PATCH and DELETE /auth/passkeys/:id, for the signed-in
 * user.
 */
export function passkeyRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.get('/passkeys', { config: { scope: 'public' } }, async (request) => {
    const { login } = await requirePerson(services, request)
    return { data: (await auth.passkeys.list(login.userId)).map(toView) }
  })
  app.post('/passkeys/options', { config: { scope: 'public' } }, async (request, reply) => {
    const { login } = await requireOwnPassword(services, request, reply)
    return auth.passkeys.offer(login)
  })
  app.post('/passkeys/confirm', { config: { scope: 'public' } }, async (request, reply) => {
    const wanted = parsePasskey(request.body)
    const { session, login } = await requirePerson(services, request)
    const made = await database.transaction(async (tx) => {
      const passkey = await auth.passkeys.add(tx, login, wanted)
      const entry = { action: 'passkey.added', subjectId: passkey.id, detail: { name: passkey.name } } as const
      await audit(tx, actorOf(session, request), entry)
      return passkey
    })
    return reply.code(201).send(toView(made))
  })
  app.patch('/passkeys/:id', { config: { scope: 'public' } }, async (request) => {
    const { name } = parsePasskeyName(request.body)
    const { session, login } = await requirePerson(services, request)
    const id = parseId(pathParam(request, 'id'), 'id')
    const changed = await database.transaction(async (tx) => {
      const passkey = await auth.passkeys.rename(tx, { id, userId: login.userId, name })
      if (!passkey) throw new Problem('not_found')
      await audit(tx, actorOf(session, request), { action: 'passkey.changed', subjectId: id, detail: { name } })
      return passkey
    })
    return toView(changed)
  })
  app.delete('/passkeys/:id', { config: { scope: 'public' } }, async (request, reply) => {
    requireNoBody(request.body)
    const { session, login } = await requirePerson(services, request)
    const id = parseId(pathParam(request, 'id'), 'id')
    await database.transaction(async (tx) => {
      if (!(await auth.passkeys.remove(tx, { id, userId: login.userId }))) throw new Problem('not_found')
      await audit(tx, actorOf(session, request), { action: 'passkey.removed', subjectId: id })
    })
    return reply.code(204).send()
  })
}

/** POST /auth/passkeys/sign-in/options and POST /auth/passkeys/sign-in. */
export function passkeySignInRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, database, audit } = services
  app.post('/passkeys/sign-in/options', { config: { scope: 'public' } }, async (request) => {
    requireNoBody(request.body)
    return auth.passkeys.ask()
  })
  app.post('/passkeys/sign-in', { config: { scope: 'public' } }, async (request, reply) => {
    const { response, stay = false } = parsePasskeySignIn(request.body)
    const attempt = await countAttempt(services, request, reply)
    const before = await findVisit(services, request)
    const opened = await database.transaction(async (tx) => {
      const userId = await auth.passkeys.check(tx, response)
      if (userId === undefined) return undefined
      if (before) await auth.sessions.end(tx, before.session)
      const kind = stay ? 'staying' : 'usual'
      const made = await auth.sessions.open(tx, { userId, kind, ...originOf(request) })
      await audit(tx, actorOf(made.session, request), { action: 'session.opened', detail: { by: 'passkey' } })
      return made
    })
    if (!opened) throw new Problem('unauthorized', { msg: 'The passkey is not known here, or its answer is wrong.' })
    await attempt.succeed()
    giveCookie(services, reply, opened)
    const { userId } = opened.session
    const login = await auth.logins.of(userId)
    if (login) markBrowser(services, reply, login)
    return showUser(services, userId, login)
  })
}

function toView({ id, name, createdAt, lastUsedAt }: PasskeyRecord) {
  return { id, name, createdAt, lastUsedAt }
}
