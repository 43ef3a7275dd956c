import { bytes, findTaskById, sqlState } from '@lathe/database'
import { cleanWarnings, failure, mostStarts, type ObjectId } from '@lathe/domain'
import { hostileOutputs } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop({ slots: 1000 })
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

const surrogates = '\ud800\udc00\udfff\udbff'
const hostile = [
  '\0',
  'A\0B',
  ...Array.from({ length: 32 }, (_, n) => `control ${String.fromCharCode(n)}`),
  ...Array.from({ length: 32 }, (_, n) => `control ${String.fromCharCode(0x80 + n)}`),
  ...surrogates.split('').map((half) => `half ${half}`),
  `${'\ud800'.repeat(5000)}`,
  '\0'.repeat(100_000),
  'x'.repeat(1024 ** 2),
  '\\u0000',
  '"}],"a":{"b":"',
  "'; drop table tasks; --",
  '\ufffe\uffff\u{10ffff}',
]

function batches<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
}

async function endOf(taskId: ObjectId) {
  return findTaskById(shop.database.pool, taskId)
}

describe('S1: text of engines', () => {
  it('never prevents a failure from being stored, whatever it is', async () => {
    const caller = await shop.addOwner()
    for (const text of hostile) {
      const claim = await shop.start(caller, workerId)
      const attempt = { fence: claim, failures: 0, engineInput: null }
      const cause = failure('input_damaged', { text, detail: text })
      expect(await shop.desk.fail(attempt, cause), JSON.stringify(text.slice(0, 20))).toBe('written')
      expect((await endOf(claim.taskId))?.status).toBe('failed')
    }
  })

  it('never prevents a result from being stored, whatever its warnings', async () => {
    const caller = await shop.addOwner()
    for (const text of hostile) {
      const claim = await shop.start(caller, workerId)
      const outcome = { files: [someFile], warnings: cleanWarnings([text, { toString: 1 }]) }
      expect(await shop.desk.complete(claim, outcome), JSON.stringify(text.slice(0, 20))).toBe('written')
    }
  })

  it('is stored by PostgreSQL once it is sanitized, 10,000 times', async () => {
    for (const outputs of batches([...hostileOutputs(10_000, 31)], 500)) {
      const texts = outputs.map(({ bytes: said }) => said.toString('utf8'))
      const kept = texts.flatMap((text) => {
        const cause = failure('input_damaged', { text, detail: text })
        return [cause.text, cause.detail, ...cleanWarnings([text])]
      })
      const sql = `select count(text)::int as n from json_array_elements_text($1::json) as text`
      const { rows } = await shop.database.pool.query<{ n: number }>(sql, [JSON.stringify(kept)])
      expect(rows[0]?.n).toBe(kept.length)
    }
  })

  it('would be refused unsanitized, with an error that says so', async () => {
    const claim = await shop.start(await shop.addOwner(), workerId)
    const refused = await shop.desk.complete(claim, { files: [someFile], warnings: ['\0'] }).catch((error) => error)
    expect(sqlState(refused)).toMatch(/^22/)
  })
})

describe('S1: a task that is requeued again and again', () => {
  it(`ends after ${mostStarts} starts, whatever the reason`, async () => {
    const { taskId } = await shop.start(await shop.addOwner(), workerId)
    for (let attempt = 1; attempt <= mostStarts; attempt += 1) {
      const fence = { taskId, attempt, workerId }
      if (attempt > 1) expect((await shop.desk.claim(fence))?.fence).toEqual(fence)
      expect(await shop.desk.giveBack(fence)).toBe('written')
      await shop.database.pool.query('update tasks set not_before = null where id = $1', [bytes(taskId)])
    }
    expect(await shop.desk.claim({ taskId, attempt: mostStarts + 1, workerId })).toBeUndefined()
    expect(await endOf(taskId)).toMatchObject({ status: 'failed', reason: 'internal' })
  })
})
