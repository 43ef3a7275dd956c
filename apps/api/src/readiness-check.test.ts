import { expect, it } from 'vitest'
import { createReadinessCheck, type ReadinessParts } from './readiness-check.ts'

const fine = async () => undefined as never
const level = (lowest: number | null) => async () => ({ rows: [{ level: lowest }] }) as never
const broken = async () => {
  throw new Error('away')
}

function check({ postgres = level(null), storage = fine, redis = fine, clock = async () => true }) {
  const parts = {
    database: { pool: { query: postgres } },
    store: { check: storage },
    redis: { set: redis },
    prefix: 'test',
    isClockTrusted: clock,
  }
  return createReadinessCheck(parts as unknown as ReadinessParts)()
}

it('is ready when every part works', async () => {
  expect(await check({})).toEqual({
    status: 'ready',
    parts: { postgres: 'up', storage: 'up', redis: 'up', clock: 'up' },
  })
})

it('is down with a clock that is wrong, but not while nobody knows', async () => {
  expect(await check({ clock: async () => false })).toMatchObject({ status: 'down', parts: { clock: 'down' } })
  expect(await check({ clock: broken })).toMatchObject({ status: 'ready', parts: { clock: 'up' } })
})

it('is degraded, not down, without Redis', async () => {
  expect(await check({ redis: broken })).toMatchObject({ status: 'degraded', parts: { redis: 'down' } })
})

it('is down without PostgreSQL or storage', async () => {
  expect(await check({ postgres: broken })).toMatchObject({ status: 'down', parts: { postgres: 'down' } })
  expect(await check({ storage: broken })).toMatchObject({ status: 'down', parts: { storage: 'down' } })
})

it('shows the lowest level at which engines are isolated, while any worker runs them', async () => {
  expect(await check({ postgres: level(3) })).toMatchObject({ status: 'ready', sandbox_level: 3 })
  expect(await check({ postgres: level(2) })).toMatchObject({ status: 'ready', sandbox_level: 2 })
  expect(await check({})).not.toHaveProperty('sandbox_level')
})

it('is degraded while a worker does not isolate its engines', async () => {
  expect(await check({ postgres: level(0) })).toMatchObject({ status: 'degraded', sandbox_level: 0 })
})
