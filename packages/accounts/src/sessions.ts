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

/** Where a session comes from, as shown to its user. */
export interface SessionOrigin {
  readonly address: string
  readonly userAgent: string
}

/** The request for a new session. */
export interface SessionRequest extends SessionOrigin {
  readonly userId: ObjectId
  readonly kind: SessionKind
  /** The second factor that is still missing. */
  readonly pending?: 'totp'
}

/** How long a session lasts: until the browser is closed, for weeks, or as long as the anonymous owner is kept. */
export type SessionKind = 'usual' | 'staying' | 'anonymous'

/** A new session. The content of its cookie is shown once: only its hash is stored. */
export interface OpenedSession {
  readonly session: SessionRecord
  readonly cookie: string
}

/** A bearer token for the API. */
export interface IssuedToken {
  readonly token: string
  readonly expiresAt: Date
}

/** Signed-in browsers, and the tokens they use. */
export interface Sessions {
  /** Throws a Problem if the user is suspended. */
  open(tx: Executor, request: SessionRequest): Promise<OpenedSession>
  /** The valid session of a cookie, including sessions without their second factor. */
  find(cookie: string): Promise<SessionRecord | undefined>
  /** Gives a session a new cookie, in a transaction. */
  renew(tx: Executor, session: SessionRecord): Promise<string | undefined>
  list(userId: ObjectId): Promise<readonly SessionRecord[]>
  /** Ends a session of a user: its tokens work for at most 5 more seconds. False if there is no such session. */
  end(tx: Executor, session: Pick<SessionRecord, 'id' | 'userId'>): Promise<boolean>
  /** Ends all sessions of a user except one. */
  endOthers(tx: Executor, userId: ObjectId, but?: ObjectId): Promise<void>
  /** Makes a session's tokens act for an owner from now on; false if the user of the session may not. */
  switchOwner(session: SessionRecord, ownerId: ObjectId): Promise<boolean>
  /** A token that acts for the session's owner, or for its user if that owner is a team the user was removed from. */
  issueUsualToken(session: SessionRecord): Promise<IssuedToken | undefined>
  /** A token that acts for an owner; undefined if the user of the session may not. */
  issueToken(session: SessionRecord, ownerId: ObjectId): Promise<IssuedToken | undefined>
  findCaller(token: string): Promise<KeyHolder | undefined>
}

export interface SessionsParts {
  readonly database: Pick<Database, 'pool'>
  /** The keys for signing tokens. */
  readonly tokenKeys: Keys
  readonly ids: IdMint
  readonly clock: Clock
  readonly anonymous: {
    /** Whether anonymous browsers may act at all. */
    readonly isAllowed: boolean
    readonly idleS: number
  }
}

const day = 24 * 3600
const cookieBytes = 32
const tokenMs = 600_000
// A user has a few browsers; a user who opens more loses the least recently used one.
const sessionsPerUser = 50
// Time to look up a code.
const pendingS = 600
// How exactly the last use is recorded, instead of with every request.
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
      // A lost role also removes its scopes from tokens that were already issued.
      return holder && { ...holder, scopes: new Set(token.scopes.filter((scope) => holder.scopes.has(scope))) }
    },
  }
}

const hashOf = (cookie: string) => createHash('sha256').update(cookie).digest('hex')

function toHolder(sessionId: ObjectId, actor: SessionActor): KeyHolder {
  const { ownerId, userId, linkGeneration, isAnonymous } = actor
  const scopes = new Set(scopesOf(actor))
  return { keyId: sessionId, ownerId, userId, linkGeneration, scopes, ...(isAnonymous && { isAnonymous }) }
}

/** Jobs, files and presets. */
const usersScopes: readonly KeyScope[] = ['task.read', 'task.write', 'account.read']

/** What a user may do for an owner: keys and webhooks are for its administrators, and not for anonymous browsers. */
function scopesOf({ role, isAnonymous }: SessionActor): readonly KeyScope[] {
  return isAnonymous || role === 'member' ? usersScopes : scopes
}
