import { createAccounts } from '@lathe/accounts'
import type { KeyScope } from '@lathe/contract'
import { type Database, updateOwner } from '@lathe/database'
import { createIds, deriveKeys, silentLog, systemClock } from '@lathe/runtime'

/** An API key of a user created for it. */
export interface StackKey {
  readonly key: string
  readonly keyId: string
  readonly ownerId: string
  readonly userId: string
}

export interface KeyOptions {
  readonly scopes?: readonly KeyScope[]
  /** How many tasks of this owner run at the same time. */
  readonly slots?: number
  /** The monthly minutes of its plan and how much is already used; no limit by default. */
  readonly minutes?: { readonly aMonth: number; readonly usedMs?: number }
}

export interface Keyring {
  /** Creates a user and an API key for it. */
  createKey(options?: KeyOptions): Promise<StackKey>
  /** The key stops working within 5 seconds. */
  revokeKey(keyId: string): Promise<void>
}

/** Creates users and keys directly in the database, as the admin command does. */
export function createKeyring(database: Database, secret: string): Keyring {
  const hashKeys = deriveKeys([secret], 'api-keys')
  const accounts = createAccounts({ database, hashKeys, ids: createIds(0), clock: systemClock, log: silentLog })
  return {
    async createKey({ scopes, slots = 4, minutes } = {}) {
      const user = await accounts.createUser({ name: 'stack', slots })
      if (minutes) {
        await accounts.setPlan(user.id, { minutesPerMonth: minutes.aMonth })
        const taken = { id: user.id, slotsUsed: 0, backlog: 0, takenMs: minutes.usedMs ?? 0, opened: 0 }
        await updateOwner(database.pool, taken)
      }
      const created = await accounts.createKey({ userId: user.id, name: 'stack', ...(scopes && { scopes }) })
      if (!created) throw new Error('the user just made is gone')
      const { key, record } = created
      return { key, keyId: record.id, ownerId: record.ownerId, userId: record.userId }
    },
    revokeKey: async (keyId) => void (await accounts.revokeKey(keyId)),
  }
}
