import { createHmac, randomInt } from 'node:crypto'
import { isScope, type KeyScope, limits, usualScopes } from '@lathe/contract'
import {
  type ApiKeyRecord,
  countKeys,
  type Database,
  type Executor,
  type FoundApiKey,
  findApiKey,
  findUser,
  insertApiKey,
  insertUser,
  listApiKeys,
  lockOwner,
  type OwnerPlan,
  type PlanInUse,
  revokeApiKey,
  touchApiKeys,
  type UserRecord,
  updateApiKeyHash,
  updatePlan,
} from '@lathe/database'
import { type IdMint, type ObjectId, Problem } from '@lathe/domain'
import type { Clock, Key, Keys, Logger } from '@lathe/runtime'
import { type AddressList, createAddressList } from './address-list.ts'
import { createCallerCache, type KeyHashes } from './caller-cache.ts'
import { formatKey, isKey } from './key-format.ts'

/** Who is calling, and what they may do. */
export interface KeyHolder {
  readonly keyId: ObjectId
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly scopes: ReadonlySet<KeyScope>
  /** What links and forms of the owner carry. */
  readonly linkGeneration: number
  /** Where the key may be used from; anywhere if not given. */
  readonly allowedFrom?: AddressList
}

/** A key just made. Its text is shown once: only its hash is kept. */
export interface CreatedKey {
  readonly key: string
  readonly record: ApiKeyRecord
}

/** A key to be made. */
export interface NewKey {
  readonly userId: ObjectId
  /** For whose work; the user's own if not given. */
  readonly ownerId?: ObjectId
  readonly name: string
  /** All but making other keys, if not given. */
  readonly scopes?: readonly KeyScope[]
  /** When it stops working; never if not given. */
  readonly expiresAt?: Date | null
  /** Addresses and ranges it may be used from; anywhere if not given. */
  readonly allowedIps?: readonly string[] | null
}

export interface RevokeOptions {
  readonly keepLinks?: boolean
  /** Whose key it must be; anybody's if not given. */
  readonly ownerId?: ObjectId
  /** The transaction it is part of, if it is. */
  readonly tx?: Executor
}

export interface Accounts {
  createUser(user: { name: string; slots: number }): Promise<UserRecord>
  findUser(id: ObjectId): Promise<UserRecord | undefined>
  /** Changes what is named of a user's plan, from its next task on. Gives undefined if there is no such user. */
  setPlan(userId: ObjectId, change: Partial<OwnerPlan>, tx?: Executor): Promise<PlanInUse | undefined>
  /** Gives undefined if there is no such user. */
  createKey(key: NewKey): Promise<CreatedKey | undefined>
  /** Makes a key for who asks for one, in a transaction; throws a Problem where the owner has too many that work. */
  createOwnKey(
    tx: Executor,
    holder: Pick<KeyHolder, 'ownerId' | 'userId'>,
    key: Omit<NewKey, 'userId' | 'ownerId'>,
  ): Promise<CreatedKey>
  listKeys(ownerId: ObjectId): Promise<readonly ApiKeyRecord[]>
  /** The key stops working everywhere within 5 seconds, and the links and forms of its owner at once, unless they are kept. */
  revokeKey(id: ObjectId, options?: RevokeOptions): Promise<ApiKeyRecord | undefined>
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
    const hash = ({ secret }: Key) => createHmac('sha256', secret).update(key).digest('hex')
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

  async function addKey(executor: Executor, wanted: NewKey): Promise<CreatedKey | undefined> {
    const { userId, ownerId = userId, name, scopes = usualScopes, expiresAt = null, allowedIps = null } = wanted
    const key = formatKey((below) => randomInt(below))
    const [hash] = hashesOf(key)
    const kept = { id: ids.next(), ownerId, userId, name, hash, last4: key.slice(-4), scopes, expiresAt, allowedIps }
    const record = await insertApiKey(executor, kept)
    return record && { key, record }
  }

  return {
    createUser: ({ name, slots }) => insertUser(db, { id: ids.next(), name, slots }),
    findUser: (id) => findUser(db, id),
    setPlan: (userId, change, tx = db) => updatePlan(tx, userId, change),
    createKey: (key) => addKey(db, key),
    async createOwnKey(tx, { ownerId, userId }, key) {
      await refuseTooMany(tx, ownerId)
      const created = await addKey(tx, { ...key, ownerId, userId })
      if (!created) throw new Problem('unauthorized')
      return created
    },
    listKeys: (ownerId) => listApiKeys(db, ownerId),
    async revokeKey(id, { keepLinks = false, ownerId, tx = db } = {}) {
      const record = await revokeApiKey(tx, { id, keepLinks, ownerId })
      cache.clear()
      return record
    },
    findCaller: async (key) => (isKey(key) ? cache.find(hashesOf(key)) : undefined),
  }
}

/** Holds the owner, so that none is added while they are counted. */
async function refuseTooMany(tx: Executor, ownerId: ObjectId): Promise<void> {
  await lockOwner(tx, ownerId)
  const count = await countKeys(tx, ownerId)
  if (count < limits.keysPerOwner) return
  const msg = `${count} keys of this account work, and no more may. Revoke one that is not needed.`
  throw new Problem('invalid_request', { msg })
}

function toHolder({ id, ownerId, userId, scopes, linkGeneration, allowedIps }: FoundApiKey): KeyHolder {
  const allowedFrom = allowedIps && { allowedFrom: createAddressList(allowedIps) }
  return { keyId: id, ownerId, userId, scopes: new Set(scopes.filter(isScope)), linkGeneration, ...allowedFrom }
}
