import { createTestDatabase } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type Database } from '../database.ts'
import { insertUser } from './accounts.ts'
import { type HostKeySeen, rememberHostKey, replaceHostKey } from './host-keys.ts'

const own = new AsyncDisposableStack()
const owners = ['0123456789abcdef01234567', 'fedcba987654321001234567']
let database: Database

beforeAll(async () => {
  const { url } = own.use(await createTestDatabase())
  database = own.use(createDatabase({ url, connections: 4 }))
  for (const id of owners) await insertUser(database.pool, { id, name: 'owner', slots: 1 })
})
afterAll(() => own.disposeAsync())

const seen = (fingerprint: string, more: Partial<HostKeySeen> = {}): HostKeySeen => ({
  ownerId: owners[0] ?? '',
  host: 'files.example.com',
  port: 22,
  fingerprint,
  ...more,
})

describe('host keys', () => {
  it('stay those that were seen first, for each owner, host and port [D-store-11]', async () => {
    const { pool } = database
    expect(await rememberHostKey(pool, seen('SHA256:one'))).toBe('SHA256:one')
    expect(await rememberHostKey(pool, seen('SHA256:two'))).toBe('SHA256:one')
    for (const more of [{ port: 2222 }, { host: 'other.example.com' }, { ownerId: owners[1] ?? '' }]) {
      expect(await rememberHostKey(pool, seen('SHA256:two', more))).toBe('SHA256:two')
    }
  })

  it('that two workers see at once are stored once', async () => {
    const place = { host: 'race.example.com' }
    const shown = ['a', 'b', 'c', 'd'].map((name) => rememberHostKey(database.pool, seen(`SHA256:${name}`, place)))
    expect(new Set(await Promise.all(shown)).size).toBe(1)
  })

  it('are replaced by one that their owner names', async () => {
    await replaceHostKey(database.pool, seen('SHA256:new'))
    expect(await rememberHostKey(database.pool, seen('SHA256:one'))).toBe('SHA256:new')
  })
})
