import { createHmac, randomInt } from 'node:crypto'
import { isScope, type KeyScope, limits, usualScopes } from '@lathe/contract'
import {
  type ApiKeyChange,
  type ApiKeyRecord,
  countKeys,
  type Database,
  type Executor,
  type FoundApiKey,
  findApiKey,
  findKeyOfOwner,
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
  updateApiKey,
  updateApiKeyHash,
  updatePlan,
} from '@lathe/database'
import { type IdMint, type ObjectId, Problem } from '@lathe/domain'
import type { Clock, Key, Keys, Logger } from '@lathe/runtime'
import { type AddressList, createAddressList } from './address-list.ts'
import { createCallerCache, type KeyHashes } from './caller-cache.ts'
import { formatKey, isKey } from './key-format.ts'

/** The caller, and what it may do. */
export interface KeyHolder {
  readonly keyId: ObjectId
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly scopes: ReadonlySet<KeyScope>
  /** The generation in links and forms of the owner. */
  readonly linkGeneration: number
  /** When the key expires; never if not given. */
  readonly expiresAt?: Date
  /** The addresses that the key may be used from; any if not given. */
  readonly allowedFrom?: AddressList
  /** Whether it is a browser without a sign-in. */
  readonly isAnonymous?: boolean
}

/** A new key. Its text is shown once: only its hash is stored. */
export interface CreatedKey {
  readonly key: string
  readonly record: ApiKeyRecord
}

/** The request for a new key. */
export interface NewKey {
  readonly userId: ObjectId
  /** The owner it acts for. Default: the user's own. */
  readonly ownerId?: ObjectId
  readonly name: string
  /** Default: all except creating other keys. */
  readonly scopes?: readonly KeyScope[]
  /** When it expires; never if not given. */
  readonly expiresAt?: Date | null
  /** Addresses and ranges it may be used from; any if not given. */
  readonly allowedIps?: readonly string[] | null
}

export interface RevokeOptions {
  readonly keepLinks?: boolean
  /** Its required owner; any owner if not given. */
  readonly ownerId?: ObjectId
  /** The transaction to run in, if any. */
  readonly tx?: Executor
}

export interface Accounts {
  createUser(user: { name: string; slots: number }): Promise<UserRecord>
  findUser(id: ObjectId): Promise<UserRecord | undefined>
  /** Changes the given fields of a user's plan, from its next task on. Returns undefined if there is no such user. */
  setPlan(userId: ObjectId, change: Partial<OwnerPlan>, tx?: Executor): Promise<PlanInUse | undefined>
  /** Returns undefined if there is no such user. */
  createKey(key: NewKey): Promise<CreatedKey | undefined>
  /** Creates a key for the caller, in a transaction; throws a Problem if the owner has too many working keys. */
  createOwnKey(
    tx: Executor,
    holder: Pick<KeyHolder, 'ownerId' | 'userId'>,
    key: Omit<NewKey, 'userId' | 'ownerId'>,
  ): Promise<CreatedKey>
  listKeys(ownerId: ObjectId): Promise<readonly ApiKeyRecord[]>
  /**
   * Changes a key of the caller's owner, in a transaction; returns undefined if there is no such key. Other processes
   * apply a new list of addresses within 5 seconds. Throws a Problem if the list is changed and the key has scopes
   * that the caller lacks.
   */
  changeOwnKey(
    tx: Executor,
    holder: Pick<KeyHolder, 'ownerId' | 'scopes'>,
    change: Omit<ApiKeyChange, 'ownerId'>,
  ): Promise<ApiKeyRecord | undefined>
  /**
   * The key stops working everywhere within 5 seconds, and the links and forms of its owner immediately, unless they
   * are kept.
   */
  revokeKey(id: ObjectId, options?: RevokeOptions): Promise<ApiKeyRecord | undefined>
  findCaller(key: string): Promise<KeyHolder | undefined>
}

export interface AccountsParts {
  readonly database: Pick<Database, 'pool'>
  /** The keys for hashing API keys: new ones use the first, and hashes with the others are also found. */
  readonly hashKeys: Keys
  readonly ids: IdMint
  readonly clock: Clock
  readonly log: Logger
}

// One write per minute, whatever the number of requests.
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

  // Not awaited: a hash with an old secret is still found until that secret is removed.
  function renewHash({ id, hash }: FoundApiKey, current: string): void {
    if (hash === current) return
    updateApiKeyHash(db, { id, from: hash, to: current }).catch((err) =>
      log.warn({ err }, 'API key not hashed with the new secret'),
    )
  }

  function noteUse({ id, lastUsedAt }: ApiKeyRecord): void {
    const now = clock.now()
    if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < touchAfterMs) return
    // Not awaited: no request depends on it.
    touchApiKeys(db, [id], now).catch((err) => log.debug({ err }, 'last use of API key not stored'))
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
    async changeOwnKey(tx, { ownerId, scopes }, change) {
      if (change.allowedIps !== undefined) await refuseBeyond(tx, scopes, { ownerId, id: change.id })
      const record = await updateApiKey(tx, { ...change, ownerId })
      cache.clear()
      return record
    },
    async revokeKey(id, { keepLinks = false, ownerId, tx = db } = {}) {
      const record = await revokeApiKey(tx, { id, keepLinks, ownerId })
      cache.clear()
      return record
    },
    findCaller: async (key) => (isKey(key) ? cache.find(hashesOf(key)) : undefined),
  }
}

/** Locks the owner, so that no key is added during the count. */
async function refuseTooMany(tx: Executor, ownerId: ObjectId): Promise<void> {
  await lockOwner(tx, ownerId)
  const count = await countKeys(tx, ownerId)
  if (count < limits.keysPerOwner) return
  const msg = `${count} keys of this account work, and no more may. Revoke one that is not needed.`
  throw new Problem('invalid_request', { msg })
}

/** Refuses to decide where a key with more scopes may be used. The scopes of a key never change. */
async function refuseBeyond(
  tx: Executor,
  scopes: ReadonlySet<string>,
  key: { readonly ownerId: ObjectId; readonly id: ObjectId },
): Promise<void> {
  const beyond = (await findKeyOfOwner(tx, key))?.scopes.filter((scope) => !scopes.has(scope)) ?? []
  if (beyond.length === 0) return
  const msg = `A key can only change the addresses of keys whose scopes it has. It lacks ${beyond.join(', ')}.`
  throw new Problem('forbidden', { msg })
}

function toHolder({ id, ownerId, userId, scopes, linkGeneration, allowedIps, expiresAt }: FoundApiKey): KeyHolder {
  const end = expiresAt && { expiresAt }
  const allowedFrom = allowedIps && { allowedFrom: createAddressList(allowedIps) }
  return { keyId: id, ownerId, userId, scopes: new Set(scopes.filter(isScope)), linkGeneration, ...end, ...allowedFrom }
}
