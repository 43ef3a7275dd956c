import {
  type Executor,
  findLogin,
  insertAnonymousOwner,
  insertUser,
  type LoginRecord,
  lockLogins,
  updateLogin,
  updatePlan,
} from '@lathe/database'
import type { IdMint, ObjectId } from '@lathe/domain'
import type { AccountsConfig, ProxyConfig } from './config.ts'
import { type Logins, normalizeEmail } from './logins.ts'

/** Users who do not sign in here. */
export interface Visitors {
  /** Creates the owner of an anonymous browser, in a transaction. */
  createAnonymous(tx: Executor): Promise<ObjectId>
  /** Finds or creates the user that a proxy has named, in a transaction. */
  admitNamed(tx: Executor, name: string): Promise<LoginRecord>
}

interface VisitorsParts {
  readonly logins: Pick<Logins, 'create'>
  readonly ids: IdMint
  readonly proxy: Pick<ProxyConfig, 'admins'>
  /** What one browser may use. */
  readonly anonymous: Pick<AccountsConfig['anonymous'], 'slots' | 'storedBytes'>
}

/** Admits anonymous browsers, and users that a proxy has named. */
export function createVisitors({ logins, ids, proxy, anonymous }: VisitorsParts): Visitors {
  return {
    async createAnonymous(tx) {
      const { id } = await insertUser(tx, { id: ids.next(), name: 'Anonymous', slots: anonymous.slots })
      await updatePlan(tx, id, { storageBytes: anonymous.storedBytes })
      await insertAnonymousOwner(tx, id)
      return id
    },
    async admitNamed(tx, name) {
      const email = normalizeEmail(name)
      const isAdmin = proxy.admins.has(email)
      const known = (await findLogin(tx, email)) ?? (await createOnce(tx, { name, email, isAdmin }))
      if (known.isAdmin !== isAdmin) await updateLogin(tx, known.userId, { isAdmin })
      return { ...known, isAdmin }
    },
  }

  /** Requests of a page arrive together: the first creates the user, the others find it. */
  async function createOnce(tx: Executor, person: { name: string; email: string; isAdmin: boolean }) {
    await lockLogins(tx)
    return (
      (await findLogin(tx, person.email)) ?? logins.create(tx, { ...person, emailProof: 'provider', password: null })
    )
  }
}
