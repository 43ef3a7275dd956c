import { createDatabase, type Database } from '@lathe/database'
import { createIds, deriveKeys, silentLog } from '@lathe/runtime'
import { createTestClock, createTestDatabase, type TestDatabase } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAccounts } from './index.ts'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ url: testDatabase.url, connections: 4 })
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await testDatabase[Symbol.asyncDispose]()
})

function setUp(...secrets: string[]) {
  const [first = 'a secret that is long enough for anyone', ...others] = secrets
  const clock = createTestClock(new Date())
  const parts = {
    database,
    hashKeys: deriveKeys([first, ...others], 'api-keys'),
    ids: createIds(0),
    clock,
    log: silentLog,
  }
  return { accounts: createAccounts(parts), clock }
}

async function createUserWithKey(accounts: ReturnType<typeof setUp>['accounts']) {
  const user = await accounts.createUser({ name: 'Ada', slots: 4 })
  const created = await accounts.createKey({ userId: user.id, name: 'first' })
  if (!created) throw new Error('no key')
  return { user, ...created }
}

describe('accounts', () => {
  it('find the caller of a key, with every scope unless it was narrowed [D-http-62]', async () => {
    const { accounts } = setUp()
    const { user, key } = await createUserWithKey(accounts)
    const caller = await accounts.findCaller(key)
    expect(caller).toMatchObject({ userId: user.id, ownerId: user.id })
    expect(caller?.scopes).toEqual(
      new Set(['task.read', 'task.write', 'webhook.read', 'webhook.write', 'account.read']),
    )

    const narrow = await accounts.createKey({ userId: user.id, name: 'reader', scopes: ['task.read'] })
    expect((await accounts.findCaller(narrow?.key ?? ''))?.scopes).toEqual(new Set(['task.read']))
  })

  it('keep an HMAC of the key and its last four characters, never the key [D-http-61]', async () => {
    const { accounts } = setUp()
    const { key, record } = await createUserWithKey(accounts)
    const { rows } = await database.pool.query('select * from api_keys where id = $1', [`\\x${record.id}`])
    expect(rows[0].hash).toHaveLength(64)
    expect(rows[0].last4).toBe(key.slice(-4))
    expect(JSON.stringify(rows)).not.toContain(key.slice(6, 30))
  })

  it('refuse a key under another secret, an unknown key and a malformed one', async () => {
    const { accounts } = setUp()
    const { key } = await createUserWithKey(accounts)
    expect(await setUp('another secret that is also long enough').accounts.findCaller(key)).toBeUndefined()
    expect(await accounts.findCaller('lathe_nonsense')).toBeUndefined()
  })

  it('S12: find keys hashed with the previous secret, and hash them with the new one when they are used', async () => {
    const [old, next] = ['an old secret that is long enough', 'a new secret that is long enough']
    const { key, record } = await createUserWithKey(setUp(old).accounts)
    expect(await setUp(next).accounts.findCaller(key)).toBeUndefined()
    expect(await setUp(next, old).accounts.findCaller(key)).toMatchObject({ keyId: record.id })
    await expect.poll(() => setUp(next).accounts.findCaller(key)).toMatchObject({ keyId: record.id })
    expect(await setUp(old).accounts.findCaller(key)).toBeUndefined()
  })

  it('refuse a revoked key within 5 seconds, also in a process that had just used it', async () => {
    const { accounts } = setUp()
    const { key, record } = await createUserWithKey(accounts)
    const other = setUp()
    expect(await other.accounts.findCaller(key)).toBeDefined()
    await accounts.revokeKey(record.id)
    expect(await accounts.findCaller(key)).toBeUndefined()
    other.clock.advance(5000)
    expect(await other.accounts.findCaller(key)).toBeUndefined()
  })

  it('create no key for an unknown user', async () => {
    const { accounts } = setUp()
    expect(await accounts.createKey({ userId: 'f'.repeat(24), name: 'x' })).toBeUndefined()
  })

  it('record when a key was last used', async () => {
    const { accounts } = setUp()
    const { user, key } = await createUserWithKey(accounts)
    await accounts.findCaller(key)
    await expect.poll(async () => (await accounts.listKeys(user.id))[0]?.lastUsedAt).toBeInstanceOf(Date)
  })
})
