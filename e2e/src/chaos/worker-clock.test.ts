import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

it.each([5 * 3600, -5 * 3600])(
  'a worker and an api whose clocks are %i s wrong are not ready, and fail no task',
  async (clockOffset) => {
    // A store on disk: a wrong clock would make every signed request to S3 invalid.
    await using stack = await startStack({ workers: 1, schedulers: 1, storage: 'disk' })
    const { key, ownerId } = await stack.createKey({ slots: 10 })
    const [worker, api] = [await stack.addWorker({ clockOffset }), await stack.addApi({ clockOffset })]
    const load = startLoad(createClient(stack.url, key), { tasks: scaled(40), chance: createChance('worker-clock') })
    const { accepted, refused } = await load.done
    await untilSettled(stack, ownerId)
    expect(refused).toEqual([])
    expect((await listTaskRows(stack, ownerId)).filter(({ status }) => status !== 'completed')).toEqual([])
    await checkInvariants(stack, ownerId, accepted)
    const ready = await fetch(worker.metricsUrl.replace('/metrics', '/readyz'))
    expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ reason: 'clock' })])
    expect(await worker.metric('lathe_claims_total')).toBe(0)
    const answer = await fetch(`${api.url}/readyz`)
    expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ status: 'down' })])
    for (const { log } of [worker, api]) {
      await waitFor(() => log().includes('clock differs from PostgreSQL'), {
        withinMs: 15_000,
        what: 'a line in the log',
      })
    }
  },
)
