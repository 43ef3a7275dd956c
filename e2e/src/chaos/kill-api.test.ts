import { randomUUID } from 'node:crypto'
import type { Task } from '@lathe/contract'
import { startStack, waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createChance, scaled } from './support/chance.ts'
import { createClient } from './support/client.ts'
import { checkInvariants, checkNothingLeft } from './support/invariants.ts'
import { listTaskRows, untilSettled } from './support/record.ts'

const body = { file: 'data:text/plain;base64,aGVsbG8=', filename: 'hello.txt' }

it('creates one task for a request that is retried because the api was killed', async () => {
  const chance = createChance('kill-api')
  await using stack = await startStack({ apis: 2, storage: 'disk' })
  const [first, second] = stack.apps('api')
  if (!first || !second) throw new Error('the stack has no two apis')
  const { key, ownerId } = await stack.createKey({ slots: 50 })
  const rounds = scaled(3)
  const keysPerRound = 20
  const ids: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    if (!first.isRunning) await first.restart()
    const keys = Array.from({ length: keysPerRound }, () => randomUUID())
    const create = (url: string, idempotencyKey: string) =>
      createClient(url, key).post<Task>('/v1/process/import/base64', body, { 'idempotency-key': idempotencyKey })
    let count = 0
    const tries = keys.map(async (idempotencyKey) => {
      const answer = await create(first.url, idempotencyKey).catch(() => undefined)
      count += answer ? 1 : 0
      return answer
    })
    const enough = chance.between(1, keysPerRound - 5)
    await waitFor(() => count >= enough, { withinMs: 60_000, everyMs: 1, what: `${enough} answers` })
    await first.stop('SIGKILL')
    const answered = await Promise.all(tries)
    const repeated = await Promise.all(keys.map((idempotencyKey) => create(second.url, idempotencyKey)))
    console.log(`round ${round + 1}: ${answered.filter(Boolean).length} of ${keysPerRound} answered before the kill`)
    expect(repeated.map(({ status }) => status)).toEqual(keys.map(() => 201))
    answered.forEach((answer, i) => {
      if (answer?.status === 201) expect(repeated[i]?.body.id).toBe(answer.body.id)
    })
    ids.push(...repeated.map((answer) => answer.body.id))
  }
  await untilSettled(stack, ownerId)
  const rows = await listTaskRows(stack, ownerId)
  expect(rows.map(({ id }) => id)).toEqual(ids.sort())
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  await checkInvariants(stack, ownerId, ids)
  await checkNothingLeft(stack)
})
