import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@lathe/database'
import { connectFast } from '@lathe/queue'
import { silentLog } from '@lathe/runtime'
import { createTestDatabase, startRedis } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createReadinessCheck } from './readiness-check.ts'

it('a Redis that became a replica counts as down: it answers, but takes no writes', async () => {
  await using own = new AsyncDisposableStack()
  const database = own.use(createDatabase({ url: own.use(await createTestDatabase()).url, connections: 2 }))
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-ready-')), (made) => rm(made, { recursive: true }))
  const server = own.adopt(await startRedis(folder), async (one) => void (await one.stop()))
  const redis = own.adopt(connectFast(server.url, silentLog), (one) => one.disconnect())
  const store = { check: async () => {} }
  const check = () =>
    createReadinessCheck({ database, store, redis, isClockTrusted: async () => true, prefix: 'ready' })()
  await expect.poll(check, { timeout: 10_000 }).toMatchObject({ status: 'ready', parts: { redis: 'up' } })
  await server.command('replicaof', '127.0.0.1', '9')
  expect(await check()).toMatchObject({ status: 'degraded', parts: { redis: 'down' } })
  await server.command('replicaof', 'no', 'one')
  await expect.poll(check, { timeout: 10_000 }).toMatchObject({ status: 'ready', parts: { redis: 'up' } })
})
