import { type AuditActor, normalizeEmail, type OpenedSession, type SessionKind } from '@lathe/accounts'
import type { LoginRecord, SessionRecord } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { Auth } from './auth.ts'
import { findProxyUser } from './proxy-user.ts'

/** The services for the routes under /auth. */
export type AuthServices = Pick<Services, 'database' | 'limiter' | 'metrics' | 'http' | 'audit' | 'keys'> & {
  readonly auth: Auth
}

/** The caller: the session of the cookie, and the login of its user. */
export interface Visit {
  readonly session: SessionRecord
  /** How its user signs in; undefined without a sign-in. */
  readonly login: LoginRecord | undefined
}

/** The session of a request, if it belongs to this mode. `pending` marks sessions that still lack a second factor. */
export async function findVisit({ auth }: AuthServices, request: FastifyRequest): Promise<Visit | undefined> {
  const { mode, proxy } = auth.config
  const cookie = auth.cookie.read(request.headers.cookie)
  const session = cookie === undefined ? undefined : await auth.sessions.find(cookie)
  if (!session) return undefined
  const login = await auth.logins.of(session.userId)
  // After a change of mode, sessions of the previous mode are invalid.
  if ((mode === 'open') !== (login === undefined)) return undefined
  // The proxy names the signed-in user with every request.
  if (mode === 'proxy' && login?.email !== normalizeEmail(findProxyUser(request, proxy) ?? '')) return undefined
  return { session, login }
}

/** The session of a request whose user is signed in, or 401. */
export async function requireVisit(services: AuthServices, request: FastifyRequest): Promise<Visit> {
  const visit = await findVisit(services, request)
  if (!visit || visit.session.pending !== null) throw notSignedIn()
  return visit
}

/** The visit of a user with a login. */
export async function requirePerson(services: AuthServices, request: FastifyRequest) {
  const { session, login } = await requireVisit(services, request)
  if (!login) throw new Problem('forbidden', { msg: 'Nobody is signed in with this browser.' })
  return { session, login }
}

export function notSignedIn(): Problem {
  return new Problem('unauthorized', { msg: 'You are not signed in, or your session has ended. Sign in again.' })
}

/** Sets the session cookie. */
export function giveCookie({ auth }: AuthServices, reply: FastifyReply, { session, cookie }: OpenedSession): void {
  // A cookie without an age ends when the browser is closed.
  const maxAgeS = kindOf(session) === 'usual' ? undefined : (session.expiresAt.getTime() - Date.now()) / 1000
  reply.header('set-cookie', auth.cookie.write(cookie, maxAgeS))
}

/** Marks the browser of a user who has signed in: the wrong passwords of others do not keep them out there. */
export function markBrowser({ auth }: AuthServices, reply: FastifyReply, { email }: Pick<LoginRecord, 'email'>): void {
  reply.header('set-cookie', auth.knownBrowsers.mark(email))
}

const shortIdleS = 3600

/** The kind a session was opened with. */
export function kindOf({ idleS }: SessionRecord): SessionKind {
  return idleS <= shortIdleS ? 'usual' : 'staying'
}

/** The user of a session, as the audit log records them. */
export function actorOf({ id, userId }: Pick<SessionRecord, 'id' | 'userId'>, { ip }: FastifyRequest): AuditActor {
  return { ownerId: userId, userId, via: 'session', viaId: id, address: ip }
}

/** The same for an action in a team, which belongs in the team's log. */
export function actorIn(teamId: ObjectId, session: SessionRecord, request: FastifyRequest): AuditActor {
  return { ...actorOf(session, request), ownerId: teamId }
}

/** Where a request comes from, as the list of sessions shows it. */
export function originOf({ ip, headers }: FastifyRequest) {
  return { address: ip, userAgent: headers['user-agent'] ?? '' }
}
