import { createTestDatabase } from '@lathe/testing'
import { expect, it } from 'vitest'
import { advisoryLocks } from './advisory-locks.ts'
import { createDatabase } from './database.ts'
import { lockLogins } from './queries/logins.ts'
import { tryToLead } from './queries/session.ts'

it('no two locks share a key', () => {
  const keys = Object.values(advisoryLocks)
  expect(new Set(keys).size).toBe(keys.length)
})

it('logins can be added while a scheduler leads', async () => {
  await using test = await createTestDatabase()
  await using database = createDatabase({ url: test.url, connections: 2 })
  await database.withConnection(async (leader) => {
    expect(await tryToLead(leader)).toBe(true)
    await database.transaction(lockLogins)
  })
})
