import { createDatabase } from '@lathe/database'
import { testServices } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { createSteadiness } from './steadiness.ts'

describe('steadiness', () => {
  it('comes only after ten seconds in which PostgreSQL could be reached without a break', async () => {
    await using database = createDatabase({ url: testServices().databaseUrl, connections: 2 })
    let now = 0
    let broken = false
    const db = {
      query: (...given: Parameters<typeof database.pool.query>) => {
        if (broken) throw new Error('no connection')
        return database.pool.query(...given)
      },
    } as typeof database.pool
    const steadiness = createSteadiness(db, () => now)
    expect(await steadiness.isSteady()).toBe(false)
    for (now of [4_000, 8_000, 9_999]) expect(await steadiness.isSteady()).toBe(false)
    now = 10_000
    expect(await steadiness.isSteady()).toBe(true)
    broken = true
    await expect(steadiness.isSteady()).rejects.toThrow()
    broken = false
    now = 15_000
    expect(await steadiness.isSteady()).toBe(false)
    for (now of [20_000, 25_000]) await steadiness.isSteady()
    expect(await steadiness.isSteady()).toBe(true)
    // Not called for a while, as by a scheduler that did not lead.
    now = 31_000
    expect(await steadiness.isSteady()).toBe(false)
  })
})
