import { type ActableOwner, findAnnouncement, type LoginRecord, listActableOwners } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findProxyUser } from './proxy-user.ts'
import { type AuthServices, findVisit, type Visit } from './visit.ts'

/** What a page learns about its session when it opens. */
export interface SessionView {
  readonly mode: string
  readonly setupNeeded: boolean
  readonly signedIn: boolean
  readonly user?: {
    readonly id: ObjectId
    readonly name: string
    readonly email: string
    readonly isAdmin: boolean
    /** Whether the user has a password. */
    readonly hasPassword: boolean
    /** Whether signing in requires a code. */
    readonly hasTotp: boolean
    /** Whether the user may change their email address. */
    readonly mayChangeEmail: boolean
  }
  readonly owner?: ActableOwner
  readonly owners: readonly ActableOwner[]
  readonly methods: {
    readonly password: boolean
    readonly passkey: boolean
    readonly oidc?: { readonly name: string }
  }
  /** Whether invitations are mailed. */
  readonly mails: boolean
  /** A message from the administrators to all users. */
  readonly announcement?: string
}

/** GET /auth/session. */
export function showSessionRoute(app: FastifyInstance, services: AuthServices): void {
  app.get('/session', { config: { scope: 'public' } }, async (request) => {
    const { config } = services.auth
    if (config.mode === 'proxy') return showNamed(services, request)
    const visit = await findVisit(services, request)
    const isWhole = visit !== undefined && visit.session.pending === null
    return isWhole ? showVisit(services, visit) : showNobody(services)
  })
}

/** A user that a proxy has signed in is signed in, with or without a cookie. */
async function showNamed(services: AuthServices, request: FastifyRequest): Promise<SessionView> {
  const { auth, database } = services
  const name = findProxyUser(request, auth.config.proxy)
  if (name === undefined) return showNobody(services)
  const login = await database.transaction((tx) => auth.visitors.admitNamed(tx, name))
  const visit = await findVisit(services, request)
  return showUser(services, login.userId, login, visit?.session.ownerId)
}

/** Shows the signed-in user and the owner that their tokens act for. */
export function showVisit(services: AuthServices, { session, login }: Visit): Promise<SessionView> {
  return showUser(services, session.userId, login, session.ownerId)
}

/** Shows a user who has just signed in or was signed in before. */
export async function showUser(
  services: AuthServices,
  userId: ObjectId,
  login: LoginRecord | undefined,
  actsFor: ObjectId | null = null,
): Promise<SessionView> {
  const owners = await listActableOwners(services.database.pool, userId)
  const owner = owners.find(({ id }) => id === actsFor) ?? owners[0]
  return {
    ...(await showNobody(services)),
    signedIn: login !== undefined,
    ...(login && { user: await toUserView(services, login) }),
    ...(owner && { owner }),
    owners,
  }
}

async function toUserView({ auth }: AuthServices, { userId, name, email, isAdmin, passwordHash }: LoginRecord) {
  const hasPassword = passwordHash !== null
  const mayChangeEmail = auth.config.mode === 'accounts' && auth.mayChangeEmail
  return { id: userId, name, email, isAdmin, hasPassword, hasTotp: await auth.totp.isOn(userId), mayChangeEmail }
}

async function showNobody({ auth, database }: AuthServices): Promise<SessionView> {
  const { mode } = auth.config
  const announcement = await findAnnouncement(database.pool)
  return {
    mode,
    setupNeeded: mode === 'accounts' && (await auth.setup.isNeeded()),
    signedIn: false,
    owners: [],
    methods: {
      password: mode === 'accounts',
      passkey: mode === 'accounts' && auth.passkeys.arePossible,
      ...(auth.oidc && { oidc: { name: auth.oidc.name } }),
    },
    mails: auth.sendMail !== undefined,
    ...(announcement !== null && { announcement }),
  }
}
