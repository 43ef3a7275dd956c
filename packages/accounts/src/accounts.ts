import { createHmac, randomInt } from 'node:crypto'
import {
  type ApiKeyRecord,
  type Database,
  type FoundApiKey,
  findApiKey,
  findUser,
  insertApiKey,
  insertUser,
  listApiKeys,
  type OwnerPlan,
  type PlanInUse,
  revokeApiKey,
  touchApiKeys,
  type UserRecord,
  updateApiKeyHash,
  updatePlan,
} from '@lathe/database'
import type { IdMint, ObjectId } from '@lathe/domain'
import type { Clock, Key, Keys, Logger } from '@lathe/runtime'
import { createCallerCache, type KeyHashes } from './caller-cache.ts'
import { formatKey, isKey } from './key-format.ts'
import { scopes as allScopes, isScope, type Scope } from './scopes.ts'

/** Who is calling, and what they may do. */
export interface KeyHolder {
  readonly keyId: ObjectId
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly scopes: ReadonlySet<Scope>
}

/** A key just made. Its text is shown once: only its hash is kept. */
export interface CreatedKey {
  readonly key: string
  readonly record: ApiKeyRecord
}

export interface Accounts {
  createUser(user: { name: string; slots: number }): Promise<UserRecord>
  findUser(id: ObjectId): Promise<UserRecord | undefined>
  /** Changes what is named of a user's plan, from its next task on. Gives undefined if there is no such user. */
  setPlan(userId: ObjectId, change: Partial<OwnerPlan>): Promise<PlanInUse | undefined>
  /** Gives undefined if there is no such user. */
  createKey(key: { userId: ObjectId; name: string; scopes?: readonly Scope[] }): Promise<CreatedKey | undefined>
  listKeys(userId: ObjectId): Promise<readonly ApiKeyRecord[]>
  /** The key stops working everywhere within 5 seconds. */
  revokeKey(id: ObjectId): Promise<ApiKeyRecord | undefined>
  findCaller(key: string): Promise<KeyHolder | undefined>
}

export interface AccountsParts {
  readonly database: Pick<Database, 'pool'>
  /** What API keys are hashed with: new ones with the first, and what was hashed with another is found as well. */
  readonly hashKeys: Keys
  readonly ids: IdMint
  readonly clock: Clock
  readonly log: Logger
}

// A minute's use is one write, whatever the number of requests.
const touchAfterMs = 60_000

/** Users and their API keys. */
export function createAccounts({ database, hashKeys, ids, clock, log }: AccountsParts): Accounts {
  const db = database.pool
  function hashesOf(key: string): KeyHashes {
    const [first, ...others] = hashKeys
    const hash = ({ bytes }: Key) => createHmac('sha256', bytes).update(key).digest('hex')
    return [hash(first), ...others.map(hash)]
  }

  const cache = createCallerCache(clock, async (hashes) => {
    const record = await findApiKey(db, hashes)
    if (!record) return undefined
    noteUse(record)
    renewHash(record, hashes[0])
    return toHolder(record)
  })

  // Not waited for: what is hashed with an old secret is found all the same, until that is taken away.
  function renewHash({ id, hash }: FoundApiKey, current: string): void {
    if (hash === current) return
    updateApiKeyHash(db, { id, from: hash, to: current }).catch((err) =>
      log.warn({ err }, 'an API key was not hashed with the new secret'),
    )
  }

  function noteUse({ id, lastUsedAt }: ApiKeyRecord): void {
    const now = clock.now()
    if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < touchAfterMs) return
    // Not waited for: nobody's request depends on it.
    touchApiKeys(db, [id], now).catch((err) => log.debug({ err }, 'use of a key was not noted'))
  }

  return {
    createUser: ({ name, slots }) => insertUser(db, { id: ids.next(), name, slots }),
    findUser: (id) => findUser(db, id),
    setPlan: (userId, change) => updatePlan(db, userId, change),
    async createKey({ userId, name, scopes = allScopes }) {
      const key = formatKey((below) => randomInt(below))
      const [hash] = hashesOf(key)
      const kept = { id: ids.next(), userId, name, hash, last4: key.slice(-4), scopes }
      const record = await insertApiKey(db, kept)
      return record && { key, record }
    },
    listKeys: (userId) => listApiKeys(db, userId),
    async revokeKey(id) {
      const record = await revokeApiKey(db, id)
      cache.clear()
      return record
    },
    findCaller: async (key) => (isKey(key) ? cache.find(hashesOf(key)) : undefined),
  }
}

function toHolder({ id, ownerId, userId, scopes }: ApiKeyRecord): KeyHolder {
  return { keyId: id, ownerId, userId, scopes: new Set(scopes.filter(isScope)) }
}
