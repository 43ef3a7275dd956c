import { setTimeout as pause } from 'node:timers/promises'
import { type Stack, startStack, startTcpProxy, type TcpProxy, testServices, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { startLoad } from './support/load.ts'
import { countOpen, listTaskRows, untilSettled } from './support/record.ts'

const hello = { file: 'data:text/plain;base64,aGVsbG8=', filename: 'hello.txt' }
const awayMs = 30_000
const recoveryMs = 15_000

const own = new AsyncDisposableStack()
let proxy: TcpProxy
let stack: Stack
beforeAll(async () => {
  const { endpoint } = testServices().s3
  proxy = own.use(await startTcpProxy(endpoint))
  // The api, the workers and the scheduler: none of them reaches the storage during the outage.
  stack = own.use(await startStack({ workers: 2, env: { S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` } }))
})
afterAll(() => own.disposeAsync())

it.each([
  ['refuses connections', () => proxy.cut()],
  ['swallows every packet', () => proxy.swallow()],
])(
  'R9: fails and loses no task when the storage %s for 30 s, and completes new ones within 15 s',
  async (kind, end) => {
    const chance = createChance(`s3-away, ${kind}`)
    const tasks = scaled(60)
    const { key, ownerId } = await stack.createKey({ slots: tasks })
    const client = createClient(stack.url, key)
    const load = startLoad(client, { tasks, chance })
    const enough = chance.between(10, 20)
    await waitFor(() => load.accepted.length >= enough, { withinMs: 60_000, everyMs: 5, what: 'some accepted tasks' })

    end()
    const openAtOutage = await countOpen(stack, ownerId)
    await pause(awayMs)
    proxy.pass()
    const backAt = performance.now()
    const sinceBack = () => Math.round(performance.now() - backAt)

    const created = async () => {
      const answer = await client.post<{ id: string }>('/v1/process/import/base64', hello)
      return answer.status === 201 ? answer.body.id : undefined
    }
    const id = await waitFor(created, { withinMs: 60_000, everyMs: 100, what: 'an accepted request' })
    const acceptedMs = sinceBack()
    const isDone = async () => (await client.task(id)).status === 'completed'
    await waitFor(isDone, { withinMs: 60_000, everyMs: 100, what: 'the end of a new task' })
    const doneMs = sinceBack()
    const { accepted, refused } = await load.done
    await untilSettled(stack, ownerId)
    console.log(`${kind}: ${openAtOutage} open at the outage, ${refused.length} requests refused during it;`)
    console.log(
      `new task accepted ${acceptedMs} ms and completed ${doneMs} ms after it, all done after ${sinceBack()} ms`,
    )
    expect(doneMs).toBeLessThan(recoveryMs)
    expect(refused.filter((status) => status !== 503)).toEqual([])
    const rows = await listTaskRows(stack, ownerId)
    expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
    await checkInvariants(stack, ownerId, [...accepted, id])
  },
)

it('leaves nothing behind', () => checkNothingLeft(stack))
