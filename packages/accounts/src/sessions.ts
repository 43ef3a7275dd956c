import { createHash, randomBytes } from 'node:crypto'
import { type KeyScope, scopes } from '@lathe/contract'
import {
  type Database,
  deleteOldestSessions,
  deleteSession,
  deleteSessionsOf,
  type Executor,
  findActor,
  findSession,
  insertSession,
  listSessions,
  renewSession,
  type SessionActor,
  type SessionRecord,
  touchSession,
  updateSessionOwner,
} from '@lathe/database'
import { type IdMint, type ObjectId, Problem } from '@lathe/domain'
import type { Clock, Keys } from '@lathe/runtime'
import { formatAccessToken, readAccessToken } from './access-token.ts'
import type { KeyHolder } from './accounts.ts'
import { createCallerCache } from './caller-cache.ts'

/** Where a browser is, as far as its user is shown it. */
export interface SessionOrigin {
  readonly address: string
  readonly userAgent: string
}

/** A session to be opened. */
export interface SessionRequest extends SessionOrigin {
  readonly userId: ObjectId
  readonly kind: SessionKind
  /** The second factor that is still to be shown. */
  readonly pending?: 'totp'
}

/** How long a session lasts: until the browser is closed, for weeks, or as long as the owner of the browser is kept. */
export type SessionKind = 'usual' | 'staying' | 'anonymous'

/** A session just opened. What its cookie holds is shown once: only its hash is kept. */
export interface OpenedSession {
  readonly session: SessionRecord
  readonly cookie: string
}

/** A bearer token for the API. */
export interface IssuedToken {
  readonly token: string
  readonly expiresAt: Date
}

/** Browsers that are signed in, and the tokens they act with. */
export interface Sessions {
  /** Throws a Problem if the user is suspended. */
  open(tx: Executor, request: SessionRequest): Promise<OpenedSession>
  /** The session of a cookie that is still good, the half-open ones included. */
  find(cookie: string): Promise<SessionRecord | undefined>
  /** Gives a session another cookie, in a transaction. */
  renew(tx: Executor, session: SessionRecord): Promise<string | undefined>
  list(userId: ObjectId): Promise<readonly SessionRecord[]>
  /** Ends a session of a user: its tokens work for 5 seconds at most. False if there is none such. */
  end(tx: Executor, session: Pick<SessionRecord, 'id' | 'userId'>): Promise<boolean>
  /** Ends all sessions of a user but one. */
  endOthers(tx: Executor, userId: ObjectId, but?: ObjectId): Promise<void>
  /** Makes a session's tokens act for an owner from now on; false if the user of the session may not. */
  switchOwner(session: SessionRecord, ownerId: ObjectId): Promise<boolean>
  /** A token that acts for the session's owner; for its user, if that is a team it was removed from. */
  issueUsualToken(session: SessionRecord): Promise<IssuedToken | undefined>
  /** A token that acts for an owner; undefined if the user of the session may not. */
  issueToken(session: SessionRecord, ownerId: ObjectId): Promise<IssuedToken | undefined>
  findCaller(token: string): Promise<KeyHolder | undefined>
}

export interface SessionsParts {
  readonly database: Pick<Database, 'pool'>
  /** What tokens are signed with. */
  readonly tokenKeys: Keys
  readonly ids: IdMint
  readonly clock: Clock
  readonly anonymous: {
    /** Whether browsers that nobody signed in with may act at all. */
    readonly isAllowed: boolean
    readonly idleS: number
  }
}

const day = 24 * 3600
const cookieBytes = 32
const tokenMs = 600_000
// A user has a few browsers; whoever opens more loses the one that was not used for longest.
const sessionsPerUser = 50
// Time to look up a code.
const pendingS = 600
// Noted that exactly, and not with every request.
const touchAfterMs = 30_000
const agentChars = 256
const suspended = 'This account is suspended. Ask an administrator of this service why.'

/** Opens, finds and ends sessions. */
export function createSessions({ database, tokenKeys, ids, clock, anonymous }: SessionsParts): Sessions {
  const db = database.pool
  const lifetimes = {
    usual: { idleS: 1800, lastsS: day },
    staying: { idleS: 7 * day, lastsS: 30 * day },
    anonymous: { idleS: anonymous.idleS, lastsS: 365 * day },
  } as const satisfies Record<SessionKind, object>

  const actors = createCallerCache(clock, async ([place]) => {
    const [sessionId = '', ownerId = ''] = place.split(':')
    const actor = await findAllowed(sessionId, ownerId)
    return actor && toHolder(sessionId, actor)
  })

  async function findAllowed(sessionId: ObjectId, ownerId: ObjectId): Promise<SessionActor | undefined> {
    const actor = await findActor(db, { sessionId, ownerId })
    return actor?.isAnonymous && !anonymous.isAllowed ? undefined : actor
  }

  async function issueToken({ id: sessionId }: SessionRecord, ownerId: ObjectId): Promise<IssuedToken | undefined> {
    const actor = await findAllowed(sessionId, ownerId)
    if (!actor) return undefined
    const expiresAt = new Date(clock.now().getTime() + tokenMs)
    const claims = { sessionId, ownerId, scopes: scopesOf(actor), expiresAt }
    return { token: formatAccessToken(claims, tokenKeys), expiresAt }
  }

  return {
    async open(tx, { userId, kind, pending, address, userAgent }) {
      const cookie = randomBytes(cookieBytes).toString('base64url')
      const { idleS, lastsS } = lifetimes[kind]
      await deleteOldestSessions(tx, userId, sessionsPerUser - 1)
      const session = await insertSession(tx, {
        id: ids.next(),
        userId,
        hash: hashOf(cookie),
        idleS,
        lastsS: pending ? pendingS : lastsS,
        pending: pending ?? null,
        address,
        userAgent: userAgent.slice(0, agentChars),
      })
      if (!session) throw new Problem('forbidden', { msg: suspended })
      return { session, cookie }
    },
    async find(cookie) {
      const session = await findSession(db, hashOf(cookie))
      if (session && clock.now().getTime() - session.lastUsedAt.getTime() >= touchAfterMs) {
        await touchSession(db, session.id)
      }
      return session
    },
    async renew(tx, { id }) {
      const cookie = randomBytes(cookieBytes).toString('base64url')
      return (await renewSession(tx, { id, hash: hashOf(cookie) })) ? cookie : undefined
    },
    list: (userId) => listSessions(db, userId),
    async end(tx, session) {
      const hasEnded = await deleteSession(tx, session)
      actors.clear()
      return hasEnded
    },
    async endOthers(tx, userId, but) {
      await deleteSessionsOf(tx, userId, but)
      actors.clear()
    },
    async switchOwner(session, ownerId) {
      if (!(await findAllowed(session.id, ownerId))) return false
      await updateSessionOwner(db, { id: session.id, ownerId: ownerId === session.userId ? null : ownerId })
      return true
    },
    async issueUsualToken(session) {
      const { ownerId, userId } = session
      const forTeam = ownerId === null ? undefined : await issueToken(session, ownerId)
      return forTeam ?? issueToken(session, userId)
    },
    issueToken,
    async findCaller(text) {
      const token = readAccessToken(text, tokenKeys, clock.now())
      const holder = token && (await actors.find([`${token.sessionId}:${token.ownerId}`]))
      // A role that was taken away takes its scopes along, from tokens that are out as well.
      return holder && { ...holder, scopes: new Set(token.scopes.filter((scope) => holder.scopes.has(scope))) }
    },
  }
}

const hashOf = (cookie: string) => createHash('sha256').update(cookie).digest('hex')

function toHolder(sessionId: ObjectId, actor: SessionActor): KeyHolder {
  const { ownerId, userId, linkGeneration } = actor
  return { keyId: sessionId, ownerId, userId, linkGeneration, scopes: new Set(scopesOf(actor)) }
}

/** Jobs, files and presets. */
const usersScopes: readonly KeyScope[] = ['task.read', 'task.write', 'account.read']

/** What a user may do for an owner: keys and webhooks are for those who administer it, and not for browsers. */
function scopesOf({ role, isAnonymous }: SessionActor): readonly KeyScope[] {
  return isAnonymous || role === 'member' ? usersScopes : scopes
}
