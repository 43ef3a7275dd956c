import { spawnSync } from 'node:child_process'
import { createDatabase, type Database } from '@lathe/database'
import { createKeyRing, deriveKeys } from '@lathe/runtime'
import { createTestDatabase, type TestDatabase } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CommandName, commands, type Flags, migrateDatabase, type Outcome } from './commands.ts'
import { type AdminContext, createAdminContext } from './context.ts'

let testDatabase: TestDatabase
let database: Database
let context: AdminContext

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ url: testDatabase.url, connections: 2 })
  const secret = 'a secret that is long enough for anyone'
  const keys = createKeyRing({
    'api-keys': deriveKeys([secret], 'api-keys'),
    credentials: deriveKeys([secret], 'credentials'),
  })
  const publicUrl = 'https://lathe.example'
  context = createAdminContext({ database, databaseUrl: testDatabase.url, directUrl: undefined, keys, publicUrl })
})

afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await testDatabase[Symbol.asyncDispose]()
})

function run(name: CommandName, flags: Flags = {}): Promise<Outcome> {
  return commands[name](context, flags)
}

it('makes a user with its first key, which works at once and is shown in the text', async () => {
  const { data, text } = await run('create-user', { name: 'Ada', withKey: true })
  expect(text).toContain(String(data.key))
  expect(await context.accounts.findCaller(String(data.key))).toMatchObject({ userId: data.user })
})

it('makes keys that cannot make others, unless asked to', async () => {
  const { data: user } = await run('create-user', { name: 'Ada' })
  const usual = await run('create-key', { user: String(user.id) })
  expect(usual.data.scopes).toEqual(['task.read', 'task.write', 'webhook.read', 'webhook.write', 'account.read'])
  const maker = await run('create-key', { user: String(user.id), scopes: 'account.read,account.write' })
  expect(maker.data.scopes).toEqual(['account.read', 'account.write'])
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
  const limited = await run('set-plan', { user, monthlyMinutes: '600', taskMinutes: '20' })
  expect(limited.data).toEqual({ slots: 3, minutesPerMonth: 600, minutesPerTask: 20, storageBytes: null, usedMs: 0 })
  const changed = await run('set-plan', { user, slots: '5', taskMinutes: 'none' })
  expect(changed.data).toMatchObject({ slots: 5, minutesPerMonth: 600, minutesPerTask: null })
  expect((await run('set-plan', { user })).text).toBe(changed.text)
  expect(changed.text).toContain('without limit')
  await expect(run('set-plan', { user: 'f'.repeat(24) })).rejects.toThrow('no user')
  await expect(run('set-plan', { user, taskMinutes: '0' })).rejects.toThrow('--task-minutes')
  const stored = async (storageBytes: string) => (await run('set-plan', { user, storageBytes })).data.storageBytes
  expect([await stored('5000'), await stored('0'), await stored('default')]).toEqual([5000, 0, null])
  await expect(stored('5 GB')).rejects.toThrow('--storage-bytes')
  await expect(run('set-plan', { user, monthlyMinutes: 'all' })).rejects.toThrow('--monthly-minutes')
})

it('prints a setup link until somebody can sign in, makes people who do, and gives them new passwords', async () => {
  expect((await run('setup-link')).text).toMatch(/https:\/\/lathe\.example\/setup#[\w-]{43}$/)
  const { data } = await run('create-user', { name: 'Ada', email: 'Ada@x.example', admin: true })
  const { logins } = context
  expect(await logins.check('ada@x.example', String(data.password))).toMatchObject({ userId: data.id, isAdmin: true })
  await expect(run('setup-link')).rejects.toThrow('can sign in already')
  const reset = await run('reset-password', { email: 'ADA@x.example' })
  expect(await logins.check('ada@x.example', String(data.password))).toBeUndefined()
  expect(await logins.check('ada@x.example', String(reset.data.password))).toMatchObject({ userId: data.id })
  const login = await logins.find('ada@x.example')
  expect(login?.emailProof).toBe('administrator')
  if (login) await database.transaction((tx) => context.totp.begin(tx, login))
  await run('remove-second-factor', { email: 'ada@x.example' })
  await expect(run('remove-second-factor', { email: 'ada@x.example' })).rejects.toThrow('no second factor')
  await expect(run('reset-password', { email: 'eve@x.example' })).rejects.toThrow('Nobody signs in as eve@x.example')
})

it('confirms the email address of a user whom a release without proofs has created', async () => {
  await run('create-user', { name: 'Old', email: 'old@x.example' })
  await database.pool.query(`update logins set email_proof = null where email = 'old@x.example'`)
  const proof = async () => (await context.logins.find('old@x.example'))?.emailProof
  expect(await proof()).toBeNull()
  await run('confirm-email', { email: 'Old@x.example' })
  expect(await proof()).toBe('administrator')
})

it('explains what is wrong with a command', async () => {
  await expect(run('create-user')).rejects.toThrow('--name is missing')
  await expect(run('create-user', { name: 'x', slots: 'many' })).rejects.toThrow('--slots')
  await expect(run('create-key', { user: 'xyz' })).rejects.toThrow('24 hexadecimal digits')
  await expect(run('create-key', { user: 'f'.repeat(24) })).rejects.toThrow('no user')
  await expect(run('create-key', { user: 'f'.repeat(24), scopes: 'all' })).rejects.toThrow('Unknown scope')
})

it('brings the database to the newest schema, and says when there is nothing to do', async () => {
  expect((await migrateDatabase(testDatabase.url)).text).toBe('Nothing to do.')
})

it('says in a line what is wrong with a command line, before it asks the database', async () => {
  const program = new URL('../admin.ts', import.meta.url).pathname
  const env = { PATH: process.env.PATH, DATABASE_URL: 'postgres://127.0.0.1:9/none' }
  const wrong: [string[], string][] = [
    [['revoke-key', '--kep-links'], 'Did you mean --keep-links?'],
    [['list-keys', '--slots', '3'], "unknown option '--slots'"],
    [['migrat'], 'Did you mean migrate?'],
  ]
  for (const [args, says] of wrong) {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
    expect([status, stderr]).toEqual([64, expect.stringContaining(says)])
    expect(stderr.trim().split('\n').length).toBeLessThan(4)
  }
  const { status, stdout } = spawnSync(process.execPath, [program, 'help'], { env, encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringContaining('create-user')])
})

it('a backup through a pooler is refused: it would change the settings of sessions that others use', async () => {
  const tries = [run('backup', { into: '/tmp/never-written' }), run('restore', { from: '/tmp/never-read' })]
  for (const one of tries) await expect(one).rejects.toThrow('Set DATABASE_DIRECT_URL to PostgreSQL itself')
})
