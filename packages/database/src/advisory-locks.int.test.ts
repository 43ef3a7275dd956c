import { createTestDatabase } from '@lathe/testing'
import { expect, it } from 'vitest'
import { advisoryLocks } from './advisory-locks.ts'
import { createDatabase } from './database.ts'
import { fenceOf, takeLead } from './queries/leadership.ts'
import { lockLogins } from './queries/logins.ts'

it('no two locks share a key', () => {
  const keys = Object.values(advisoryLocks)
  expect(new Set(keys).size).toBe(keys.length)
})

it('logins can be added while a scheduler leads', async () => {
  await using test = await createTestDatabase()
  await using database = createDatabase({ url: test.url, connections: 2 })
  const term = await takeLead(database, undefined, 'a')
  if (!term) throw new Error('nobody leads')
  await database.fencedBy(fenceOf(term)).transaction(() => database.transaction(lockLogins))
})
