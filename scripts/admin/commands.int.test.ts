import { createAccounts } from '@lathe/accounts'
import { createDatabase, type Database } from '@lathe/database'
import { createIds, createKeyRing, deriveKeys, silentLog, systemClock } from '@lathe/runtime'
import { createTestDatabase, type TestDatabase } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AdminContext, commands, type Flags } from './commands.ts'

let testDatabase: TestDatabase
let database: Database
let context: AdminContext

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ url: testDatabase.url, connections: 2 })
  const hashKeys = deriveKeys(['a secret that is long enough for anyone'], 'api-keys')
  const keys = createKeyRing({ credentials: deriveKeys(['a secret that is long enough for anyone'], 'credentials') })
  const accounts = createAccounts({ database, hashKeys, ids: createIds(0), clock: systemClock, log: silentLog })
  context = { accounts, keys, databaseUrl: testDatabase.url }
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await testDatabase[Symbol.asyncDispose]()
})

async function run(name: string, flags: Flags = {}) {
  const command = commands[name]
  if (!command) throw new Error(`no command ${name}`)
  return command(context, flags)
}

it('makes a user with its first key, which works at once and is shown in the text', async () => {
  const { data, text } = await run('create-user', { name: 'Ada', 'with-key': true })
  expect(text).toContain(String(data.key))
  expect(await context.accounts.findCaller(String(data.key))).toMatchObject({ userId: data.user })
})

it('makes a key with some scopes only, lists it without its secret, and revokes it', async () => {
  const { data: user } = await run('create-user', { name: 'Bob', slots: '3' })
  const { data: made } = await run('create-key', { user: String(user.id), scopes: 'task.read', name: 'reader' })
  const listed = await run('list-keys', { user: String(user.id) })
  expect(listed.text).toContain('task.read')
  expect(JSON.stringify(listed)).not.toContain(String(made.key))
  await run('revoke-key', { key: String(made.id) })
  expect(await context.accounts.findCaller(String(made.key))).toBeUndefined()
  await expect(run('revoke-key', { key: String(made.id) })).rejects.toThrow('no such key')
})

it('changes a plan by what is named, lifts limits, and shows it', async () => {
  const user = String((await run('create-user', { name: 'Eve', slots: '3' })).data.id)
  const limited = await run('set-plan', { user, 'minutes-a-month': '600', 'minutes-a-task': '20' })
  expect(limited.data).toEqual({ slots: 3, minutesAMonth: 600, minutesATask: 20, usedMs: 0 })
  const changed = await run('set-plan', { user, slots: '5', 'minutes-a-task': 'none' })
  expect(changed.data).toMatchObject({ slots: 5, minutesAMonth: 600, minutesATask: null })
  expect((await run('set-plan', { user })).text).toBe(changed.text)
  expect(changed.text).toContain('without limit')
  await expect(run('set-plan', { user: 'f'.repeat(24) })).rejects.toThrow('no user')
  await expect(run('set-plan', { user, 'minutes-a-task': '0' })).rejects.toThrow('--minutes-a-task')
  await expect(run('set-plan', { user, 'minutes-a-month': 'all' })).rejects.toThrow('--minutes-a-month')
})

it('explains what is wrong with a command', async () => {
  await expect(run('create-user')).rejects.toThrow('--name is missing')
  await expect(run('create-user', { name: 'x', slots: 'many' })).rejects.toThrow('--slots')
  await expect(run('create-key', { user: 'xyz' })).rejects.toThrow('24 hexadecimal digits')
  await expect(run('create-key', { user: 'f'.repeat(24) })).rejects.toThrow('no user')
  await expect(run('create-key', { user: 'f'.repeat(24), scopes: 'all' })).rejects.toThrow('Unknown scope')
})

it('brings the database to the newest schema, and says when there is nothing to do', async () => {
  expect((await run('migrate')).text).toBe('Nothing to do.')
})
