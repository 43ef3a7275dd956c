import type { Admission, Oidc } from '@lathe/accounts'
import { parseOidcStart } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toOwnPath } from './own-path.ts'
import { type AuthServices, actorIn, actorOf, findVisit, giveCookie, originOf } from './visit.ts'

/** POST /auth/oidc/start and GET /auth/oidc/callback; absent without an identity provider. */
export function oidcRoutes(app: FastifyInstance, services: AuthServices): void {
  const { auth, http } = services
  const { oidc, oidcCookie } = auth
  if (!oidc) return
  app.post('/oidc/start', { config: { scope: 'public' } }, async (request, reply) => {
    const { back, stay } = parseOidcStart(request.body)
    const { secret, url } = await startOrRefuse(oidc, request, { back: toOwnPath(http.publicUrl, back), stay })
    return reply.header('set-cookie', oidcCookie.write(secret, oidc.attemptS)).send({ url: url.href })
  })
  app.get('/oidc/callback', { config: { scope: 'public', anyAccept: true } }, async (request, reply) => {
    const secret = oidcCookie.read(request.headers.cookie)
    const attempt = secret === undefined ? undefined : await oidc.take(secret)
    if (secret === undefined || !attempt) return goBack(services, reply, '/', 'stale')
    // The cookie is for one use, whatever the outcome.
    reply.header('set-cookie', oidcCookie.remove())
    const query = request.url.slice(request.url.indexOf('?') < 0 ? request.url.length : request.url.indexOf('?'))
    try {
      const person = await oidc.finish(secret, query)
      const trouble = await enter(services, request, reply, { person, stay: attempt.stay })
      return goBack(services, reply, attempt.back, trouble)
    } catch (err) {
      request.log.warn({ err }, 'sign-in through the identity provider failed')
      return goBack(services, reply, attempt.back, isDenied(err) ? 'denied' : 'failed')
    }
  })
}

async function startOrRefuse(oidc: Oidc, request: FastifyRequest, attempt: Parameters<Oidc['start']>[0]) {
  try {
    return await oidc.start(attempt)
  } catch (err) {
    request.log.warn({ err }, 'identity provider not reached')
    throw new Problem('unavailable', { msg: `${oidc.name} cannot be reached at present. Try again later.` }, err)
  }
}

interface Arrival {
  readonly person: Awaited<ReturnType<Oidc['finish']>>
  readonly stay: boolean
}

/** Opens a session for the user who has returned from the provider; returns the reason if the sign-in is refused. */
async function enter(
  services: AuthServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { person, stay }: Arrival,
): Promise<string | undefined> {
  const { auth, database, audit } = services
  const before = await findVisit(services, request)
  const outcome = await database.transaction(async (tx) => {
    const admission = await auth.oidc?.admit(tx, person)
    if (admission === undefined || typeof admission === 'string') return admission ?? 'failed'
    if (before) await auth.sessions.end(tx, before.session)
    const { userId } = admission.login
    const made = await auth.sessions.open(tx, { userId, kind: stay ? 'staying' : 'usual', ...originOf(request) })
    if (admission.displaced) {
      const { userId: ownerId, ...detail } = admission.displaced
      // Without the user: that account must not learn about them.
      const entry = { action: 'account.changed', subjectId: ownerId, detail: { ...detail, by: 'oidc' } } as const
      await audit(tx, { ownerId, via: 'host' }, entry)
    }
    for (const [actor, entry] of auditEntriesOf(admission, person.issuer)) {
      const own = actor === undefined ? actorOf(made.session, request) : actorIn(actor, made.session, request)
      await audit(tx, own, entry)
    }
    return made
  })
  if (typeof outcome === 'string') return outcome
  giveCookie(services, reply, outcome)
  return undefined
}

/** The audit entries of a sign-in, each with the log it belongs to: a team's, or the user's own (undefined). */
function auditEntriesOf({ login, news, teams }: Admission, issuer: string) {
  const by = { by: 'oidc', issuer }
  const created = { action: 'account.created', subjectId: login.userId, detail: { email: login.email, ...by } } as const
  const linked = { action: 'identity.added', subjectId: login.userId, detail: by } as const
  const opened = { action: 'session.opened', detail: by } as const
  return [
    ...(news === 'created' ? [[undefined, created] as const] : []),
    ...(news === 'linked' ? [[undefined, linked] as const] : []),
    ...teams.map(
      ({ teamId, action, role }) => [teamId, { action, subjectId: login.userId, detail: { role, ...by } }] as const,
    ),
    [undefined, opened] as const,
  ]
}

/** Redirects to the page where the sign-in began, or to the sign-in page if there is an error to show. */
function goBack({ http }: AuthServices, reply: FastifyReply, back: string, trouble?: string): FastifyReply {
  const path = trouble === undefined ? back : `/sign-in?${new URLSearchParams({ trouble, back })}`
  return reply.header('cache-control', 'no-store').redirect(new URL(path, http.publicUrl).href, 302)
}

/** Whether the user or the provider denied access. */
const isDenied = (err: unknown) => (err as { error?: unknown } | undefined)?.error === 'access_denied'
