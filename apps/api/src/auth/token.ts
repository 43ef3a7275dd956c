import { parseTokenRequest } from '@lathe/contract'
import type { SessionRecord } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findProxyUser } from './proxy-user.ts'
import { type AuthServices, actorOf, findVisit, giveCookie, notSignedIn, originOf } from './visit.ts'

/** POST /auth/token: creates a bearer token for the API that is valid for 10 minutes. */
export function tokenRoute(app: FastifyInstance, services: AuthServices): void {
  const { auth } = services
  app.post('/token', { config: { scope: 'public' } }, async (request, reply) => {
    const { ownerId } = parseTokenRequest(request.body)
    const visit = await findVisit(services, request)
    const session = visit?.session ?? (await admit(services, request, reply))
    if (session.pending !== null) throw notSignedIn()
    const { sessions } = auth
    const issued = await (ownerId === undefined
      ? sessions.issueUsualToken(session)
      : sessions.issueToken(session, ownerId))
    if (!issued) throw new Problem('forbidden', { msg: 'You may not act for this owner.' })
    return issued
  })
}

/** Opens a session for a browser that needs no sign-in, and sets its cookie. */
async function admit(services: AuthServices, request: FastifyRequest, reply: FastifyReply): Promise<SessionRecord> {
  const { auth, database, audit } = services
  const { mode, proxy } = auth.config
  const name = mode === 'proxy' ? findProxyUser(request, proxy) : undefined
  if (mode !== 'open' && name === undefined) throw notSignedIn()
  if (mode === 'open') await countBrowser(services, request, reply)
  const opened = await database.transaction(async (tx) => {
    if (name === undefined) {
      const userId = await auth.visitors.createAnonymous(tx)
      return auth.sessions.open(tx, { userId, kind: 'anonymous', ...originOf(request) })
    }
    const { userId } = await auth.visitors.admitNamed(tx, name)
    const made = await auth.sessions.open(tx, { userId, kind: 'usual', ...originOf(request) })
    await audit(tx, actorOf(made.session, request), { action: 'session.opened', detail: { by: 'proxy' } })
    return made
  })
  giveCookie(services, reply, opened)
  return opened.session
}

async function countBrowser({ limiter, metrics }: AuthServices, { ip }: FastifyRequest, reply: FastifyReply) {
  const own = await limiter.take('anonymous', ip)
  const { allowed, resetS } = own.allowed ? await limiter.take('anonymousSite', ip) : own
  if (allowed) return
  metrics.rateLimited.inc({ by: 'anonymous' })
  reply.header('retry-after', resetS)
  throw new Problem('rate_limited', {
    msg: `Too many browsers have come from your network. Try again in ${Math.ceil(resetS / 60)} minutes.`,
  })
}
