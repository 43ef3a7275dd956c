import { createMetrics, silentLog } from '@lathe/runtime'
import { testServices } from '@lathe/testing'
import { afterAll, expect, it } from 'vitest'
import { createDatabase } from './database.ts'
import { createDatabaseClock } from './database-clock.ts'

const database = createDatabase({ url: testServices().databaseUrl, connections: 2 })
afterAll(() => database[Symbol.asyncDispose]())

const hourMs = 3_600_000

it('R4: follows PostgreSQL however wrong the machine’s clock is, and reports the difference', async () => {
  for (const aheadMs of [26 * hourMs, -5 * hourMs, 61_000]) {
    const metrics = createMetrics()
    const said: string[] = []
    const log = {
      ...silentLog,
      error: (_: unknown, text: string) => void said.push(text),
    } as unknown as typeof silentLog
    let offMs = aheadMs
    const machineNow = () => Date.now() + offMs
    const told: boolean[] = []
    const onTrust = (isTrusted: boolean) => void told.push(isTrusted)
    const refrains = 'nothing is deleted'
    using clock = await createDatabaseClock({ db: database.pool, log, metrics, machineNow, refrains, onTrust })
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(5_000)
    expect(await clock.isTrusted()).toBe(false)
    expect(said).toEqual(['clock differs from PostgreSQL, nothing is deleted until they agree'])
    const { values } = await metrics.clockAhead.get()
    expect(values[0]?.value).toBeCloseTo(aheadMs / 1000, -1)
    offMs = 0
    expect(await clock.isTrusted()).toBe(true)
    expect(told).toEqual([false, true])
  }
})

it('trusts a clock that differs by less than a minute', async () => {
  const parts = { db: database.pool, log: silentLog, metrics: createMetrics(), refrains: 'nothing' }
  using clock = await createDatabaseClock({ ...parts, machineNow: () => Date.now() + 50_000 })
  expect(await clock.isTrusted()).toBe(true)
})

it('shows the machine’s time, and is not trusted, while PostgreSQL was never reached', async () => {
  await using nowhere = createDatabase({ url: 'postgres://lathe@127.0.0.1:1/lathe', connections: 1 })
  const parts = { log: silentLog, metrics: createMetrics(), refrains: 'nothing' }
  using clock = await createDatabaseClock({ db: nowhere.pool, ...parts })
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1_000)
  await expect(clock.isTrusted()).rejects.toThrow()
})
