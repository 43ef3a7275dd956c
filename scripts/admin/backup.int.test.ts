import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Database, dropExpiredPartitions, ensurePartitions } from '@lathe/database'
import { createKeyRing, deriveKeys, type KeyRing } from '@lathe/runtime'
import { createTestDatabase, type TestDatabase, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CommandName, commands, type Flags, type Outcome } from './commands.ts'
import { type AdminContext, createAdminContext } from './context.ts'

const hourMs = 3_600_000
let folder: string
let source: TestDatabase
let sourceRecord: Database
let target: TestDatabase
let keep: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-backup-'))
  source = await createTestDatabase()
  target = await createTestDatabase()
  sourceRecord = createDatabase({ url: source.url, connections: 2 })
  const { data } = await run('create-user', { name: 'Ada', withKey: true, slots: '7' })
  keep = String(data.key)
})

afterAll(async () => {
  await sourceRecord[Symbol.asyncDispose]()
  await source[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

// Every test has folders of its own.
let into: string
let count = 0
beforeEach(() => {
  count += 1
  into = join(folder, `backup-${count}`)
})

const ringOf = (secret: string): KeyRing =>
  createKeyRing({ 'api-keys': deriveKeys([secret], 'api-keys'), credentials: deriveKeys([secret], 'credentials') })
const keys = ringOf('a secret that is long enough for anyone')

function run(name: CommandName, flags: Flags = {}, given: Partial<AdminContext> = {}): Promise<Outcome> {
  return commands[name]({ ...contextOf(sourceRecord, source.url), ...given }, flags)
}

const contextOf = (database: Database, databaseUrl: string) =>
  createAdminContext({ database, databaseUrl, directUrl: databaseUrl, keys, publicUrl: 'https://lathe.example' })
const accountsOf = (database: Database) => contextOf(database, target.url).accounts

async function countUsers(url: string): Promise<number> {
  await using record = createDatabase({ url, connections: 2 })
  const { rows } = await record.pool.query<{ count: number }>('select count(*)::int as count from users')
  return rows[0]?.count ?? 0
}

/** Adds a user that is in no backup; gives how many there are. */
async function addUser(): Promise<number> {
  await using record = createDatabase({ url: target.url, connections: 2 })
  await run('create-user', { name: 'Bob' }, { accounts: accountsOf(record) })
  return countUsers(target.url)
}

it('restores every row into a database that was just migrated, where old keys and plans work', async () => {
  const written = await run('backup', { into })
  const { text, data } = await run('restore', { from: into }, { directUrl: target.url })
  expect(text).toContain('1 users, 1 API keys')
  expect(data.counts).toEqual(written.data.counts)
  expect(data.strangeKeys).toEqual([])
  await using record = createDatabase({ url: target.url, connections: 2 })
  const caller = await accountsOf(record).findCaller(keep)
  expect(caller).toBeDefined()
  expect(await accountsOf(record).setPlan(caller?.userId ?? '', {})).toMatchObject({ slots: 7 })
})

it('is readable for its owner alone, and holds no secret of the installation', async () => {
  await run('backup', { into })
  expect((await stat(into)).mode & 0o777).toBe(0o700)
  for (const name of await readdir(into)) expect((await stat(join(into, name))).mode & 0o777).toBe(0o600)
  const manifest = await readFile(join(into, 'manifest.json'), 'utf8')
  expect(JSON.parse(manifest)).toMatchObject({ format: 1, counts: { users: 1 }, migrations: expect.any(Array) })
  expect(manifest).not.toContain(keep)
  for (const purpose of ['api-keys', 'credentials'] as const) {
    expect(manifest).not.toContain(keys.of(purpose)[0].secret.export().toString('hex'))
  }
})

it('dumps the moment at which it counted, whatever is written meanwhile', async () => {
  let writing = true
  const writer = (async () => {
    while (writing)
      await sourceRecord.pool.query(`insert into users (id, name) values (gen_random_uuid()::text::bytea, 'x')`)
  })()
  try {
    await waitFor(async () => (await countUsers(source.url)) > 50, { withinMs: 20_000 })
    await run('backup', { into })
  } finally {
    writing = false
    await writer
  }
  // The counts are compared before the restore commits.
  await run('restore', { from: into, replace: true }, { directUrl: target.url })
  const { counts } = JSON.parse(await readFile(join(into, 'manifest.json'), 'utf8'))
  expect(await countUsers(target.url)).toBe(counts.users)
  await sourceRecord.pool.query(`delete from users where name = 'x'`)
})

it('holds partitions of other days, which expire where it is restored', async () => {
  const then = new Date(Date.now() - 40 * hourMs)
  await ensurePartitions(sourceRecord.pool, then)
  await run('backup', { into })
  const { dropped } = await sourceRecord.withConnection((one) => dropExpiredPartitions(one, new Date()))
  expect(dropped.length).toBeGreaterThan(0)
  await run('restore', { from: into, replace: true }, { directUrl: target.url })
  await using record = createDatabase({ url: target.url, connections: 2 })
  const { dropped: gone } = await record.withConnection((one) => dropExpiredPartitions(one, new Date()))
  expect(gone).toEqual(dropped)
})

it('refuses a database with rows, and replaces it only if asked to', async () => {
  await run('backup', { into })
  const before = await addUser()
  await expect(run('restore', { from: into }, { directUrl: target.url })).rejects.toThrow('is not empty (')
  expect(await countUsers(target.url)).toBe(before)
  await run('restore', { from: into, replace: true }, { directUrl: target.url })
  expect(await countUsers(target.url)).toBe(1)
})

it('refuses a database that somebody else is connected to', async () => {
  await run('backup', { into })
  await using record = createDatabase({ url: target.url, connections: 2 })
  await record.pool.query('select 1')
  await expect(run('restore', { from: into, replace: true }, { directUrl: target.url })).rejects.toThrow(
    'stop every api, worker and scheduler first',
  )
})

it('changes nothing for a dump that is cut, changed, or lacks rows', async () => {
  await run('backup', { into })
  const before = await addUser()
  const tryIt = () => run('restore', { from: into, replace: true }, { directUrl: target.url })
  const [dump, manifest] = [join(into, 'record.dump'), join(into, 'manifest.json')]
  const [bytes, text] = [await readFile(dump), await readFile(manifest, 'utf8')]

  await writeFile(manifest, text.replace('"users": 1', '"users": 2'))
  await expect(tryIt()).rejects.toThrow('rows of "users" are missing')
  await writeFile(manifest, text.replace('"format": 1', '"format": 2'))
  await expect(tryIt()).rejects.toThrow('not a manifest')
  await writeFile(manifest, text)
  await truncate(dump, bytes.length - 1)
  await expect(tryIt()).rejects.toThrow(`the manifest names ${bytes.length}`)
  const changed = Buffer.from(bytes)
  changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
  await writeFile(dump, changed)
  await expect(tryIt()).rejects.toThrow('SHA-256')
  expect(await countUsers(target.url)).toBe(before)
})

it('changes nothing when the dump breaks off half way, although it is the one of the manifest', async () => {
  await run('backup', { into })
  const before = await addUser()
  const [dump, file] = [join(into, 'record.dump'), join(into, 'manifest.json')]
  const cut = (await readFile(dump)).subarray(0, -200)
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(dump, cut)
  const named = { bytes: cut.length, sha256: createHash('sha256').update(cut).digest('hex') }
  await writeFile(file, JSON.stringify({ ...manifest, dump: named }))
  await expect(run('restore', { from: into, replace: true }, { directUrl: target.url })).rejects.toThrow(
    'pg_restore ended',
  )
  expect(await countUsers(target.url)).toBe(before)
})

it('warns when LATHE_SECRET is not the one of the backup', async () => {
  await run('backup', { into })
  const other = ringOf('another secret that is long enough too')
  const { text } = await run('restore', { from: into, replace: true }, { directUrl: target.url, keys: other })
  expect(text).toContain('made with another LATHE_SECRET: its api-keys')
})

it('leaves nothing behind when it fails, and overwrites nothing', async () => {
  const unreachable = { directUrl: 'postgres://lathe@127.0.0.1:9/lathe' }
  await expect(run('backup', { into }, unreachable)).rejects.toThrow('ECONNREFUSED')
  expect(await readdir(folder)).not.toContain(`backup-${count}.partial`)
  await run('backup', { into })
  await expect(run('backup', { into })).rejects.toThrow('there already')
  await expect(run('restore', { from: folder })).rejects.toThrow('is not a backup')
})

it('restores no session and no setup link: they may have been ended or used since', async () => {
  const { database, setup } = contextOf(sourceRecord, source.url)
  await setup.createLink()
  await database.pool.query(
    `insert into sessions (id, user_id, hash, idle_s, expires_at, address, user_agent)
     select id, id, id, 60, now() + interval '1 hour', '', '' from users limit 1`,
  )
  await run('backup', { into })
  await run('restore', { from: into, replace: true }, { directUrl: target.url })
  await using restored = createDatabase({ url: target.url, connections: 2 })
  const { rows } = await restored.pool.query(
    'select (select count(*)::int from sessions) as sessions, (select count(*)::int from setup_links) as links',
  )
  expect(rows).toEqual([{ sessions: 0, links: 0 }])
  await database.pool.query('delete from sessions')
  await database.pool.query('delete from setup_links')
})
