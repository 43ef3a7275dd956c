import { setTimeout as pause } from 'node:timers/promises'
import type { Stack } from '@lathe/testing'
import { createClient } from '../parts/client.ts'
import { inLanes } from '../parts/lanes.ts'
import { atMost, figure, type Measure, say } from '../parts/measure.ts'
import type { FairnessSizes } from './sizes.ts'

const goal = 2
const tenantsAtOnce = 8
const limitMs = 1_800_000

/** How long the last of many tenants waits for its first result, compared with all tenants. */
export async function measureManyTenants(
  stack: Stack,
  image: string,
  { tenants, tasks }: FairnessSizes,
): Promise<readonly Measure[]> {
  const owners: string[] = []
  const waiting: { client: ReturnType<typeof createClient>; input: string }[] = []
  for (let n = 0; n < tenants; n += 1) {
    const { key, ownerId } = await stack.createKey({ slots: 10 })
    const client = createClient(stack.url, key)
    owners.push(ownerId)
    waiting.push({ client, input: await client.upload(image) })
  }
  await inLanes(tenants, tenantsAtOnce, async (n) => {
    const tenant = waiting[n]
    for (let i = 0; tenant && i < tasks; i += 1) await tenant.client.convert(tenant.input)
  })
  const firsts = await untilAllHaveOne(stack, owners)
  const mean = firsts.reduce((sum, { waitedMs }) => sum + waitedMs, 0) / firsts.length
  const last = firsts.at(-1)?.waitedMs ?? Number.NaN
  say(`first results: ${mean.toFixed(0)} ms in the mean of ${tenants} tenants, ${last.toFixed(0)} ms for the last`)
  return [
    figure('fairness_first_result_mean', mean, 'ms'),
    figure('fairness_first_result_last', last, 'ms'),
    atMost('fairness_first_result', last / mean, 'ratio', goal),
  ]
}

/** When each tenant arrived and how long it waited for its first result, in order of arrival. */
async function untilAllHaveOne({ database }: Stack, owners: readonly string[]) {
  const sql = `select extract(epoch from min(ended_at) - min(created_at))::float8 * 1000 as "waitedMs"
    from tasks where owner_id = any($1::bytea[]) and operation = 'convert'
   group by owner_id order by min(created_at)`
  for (const limit = Date.now() + limitMs; ; await pause(500)) {
    const { rows } = await database.pool.query<{ waitedMs: number | null }>(sql, [owners.map((id) => `\\x${id}`)])
    const done = rows.filter((row): row is { waitedMs: number } => row.waitedMs !== null)
    if (done.length === owners.length) return done
    if (Date.now() > limit) throw new Error('not every tenant got a result')
  }
}
