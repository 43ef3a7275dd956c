import { createDatabase, type Database } from '@lathe/database'
import { createIds, deriveKeys } from '@lathe/runtime'
import { createTestClock, createTestDatabase } from '@lathe/testing'
import { createLogins } from '../logins.ts'
import { createPasswordHasher } from '../password-hasher.ts'
import { createSessions } from '../sessions.ts'
import { createSetup } from '../setup.ts'
import { createVisitors } from '../visitors.ts'

const secret = 'a secret that is long enough for anyone'
export const password = 'seven green bottles'
export const origin = { address: '192.0.2.7', userAgent: 'a browser' }

/** The account services on a test database. */
export async function openPeople() {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await createTestDatabase())
  const database: Database = stack.use(createDatabase({ url, connections: 4 }))
  const ids = createIds(0)
  const logins = createLogins({ database, hasher: createPasswordHasher(), ids, slots: 4 })
  const setup = createSetup({ database, logins })
  const visitors = createVisitors({
    logins,
    ids,
    proxy: { admins: new Set(['root@x.example']) },
    anonymous: { slots: 2, storedBytes: 1_000_000 },
  })
  const parts = stack.move()

  /** Simulates one of several processes, with its own cache and clock. */
  function openSessions(secrets: readonly [string, ...string[]] = [secret], isAllowed = true) {
    const clock = createTestClock(new Date())
    const tokenKeys = deriveKeys(secrets, 'tokens')
    return {
      clock,
      sessions: createSessions({ database, tokenKeys, ids, clock, anonymous: { isAllowed, idleS: 48 * 3600 } }),
    }
  }

  /** A signed-in user. */
  async function signIn(email: string, kind: 'usual' | 'staying' = 'usual') {
    const { sessions } = openSessions()
    return database.transaction(async (tx) => {
      const login = await logins.create(tx, { name: 'Ada', email, password: null, isAdmin: false })
      return { login, ...(await sessions.open(tx, { userId: login.userId, kind, ...origin })) }
    })
  }

  return {
    ...{ database, logins, setup, visitors, openSessions, signIn },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
