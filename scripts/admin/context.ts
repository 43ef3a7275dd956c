import {
  type Accounts,
  type Audit,
  createAccounts,
  createAudit,
  createLogins,
  createPasswordHasher,
  createSetup,
  createTotp,
  type Logins,
  type Setup,
  type Totp,
} from '@lathe/accounts'
import type { Database } from '@lathe/database'
import { createIds, createSealer, type KeyRing, silentLog, systemClock } from '@lathe/runtime'

/** The context that commands run with. */
export interface AdminContext extends AdminParts {
  readonly accounts: Accounts
  readonly logins: Logins
  readonly setup: Setup
  readonly totp: Totp
  readonly audit: Audit
}

export interface AdminParts {
  readonly database: Database
  readonly databaseUrl: string
  /** The same without a pooler; undefined if only the pooler is known. */
  readonly directUrl: string | undefined
  readonly keys: KeyRing
  /** The URL at which clients reach the service. */
  readonly publicUrl: string
}

// How many tasks of one user run at the same time by default.
export const defaultSlots = 10

/** Builds the context for commands. */
export function createAdminContext(parts: AdminParts, cell = 0): AdminContext {
  const { database, keys } = parts
  const ids = createIds(cell)
  const hashKeys = keys.of('api-keys')
  const logins = createLogins({ database, hasher: createPasswordHasher(), ids, slots: defaultSlots })
  return {
    ...parts,
    accounts: createAccounts({ database, hashKeys, ids, clock: systemClock, log: silentLog }),
    logins,
    audit: createAudit({ ids, clock: systemClock }),
    setup: createSetup({ database, logins }),
    totp: createTotp({ database, sealer: createSealer(keys.of('credentials')), clock: systemClock, issuer: 'Lathe' }),
  }
}
