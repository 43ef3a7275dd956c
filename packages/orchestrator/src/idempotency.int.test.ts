import { forgetRequests } from '@lathe/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let caller: Caller
beforeAll(async () => {
  shop = await createWorkshop()
  caller = await shop.addOwner(1000)
})
afterAll(() => shop[Symbol.asyncDispose]())

const key = (name: string, requestHash = 'aa'.repeat(32)) => ({ key: name, requestHash })

describe('an idempotency key', () => {
  it('creates one task for fifty simultaneous requests, and returns the same response to all', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => shop.orchestrator.createTask(caller, shop.newTask(), key('fifty'))),
    )
    const ids = answers.map((answer) => (answer.kind === 'fresh' ? answer.record.id : answer.id))
    expect(new Set(ids).size).toBe(1)
    expect(answers.filter(({ kind }) => kind === 'fresh')).toHaveLength(1)
  })

  it('is refused with another request [D-http-56]', async () => {
    await shop.orchestrator.createTask(caller, shop.newTask(), key('other'))
    const again = shop.orchestrator.createTask(caller, shop.newTask(), key('other', 'bb'.repeat(32)))
    await expect(again).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })

  it('belongs to its owner alone', async () => {
    const other = await shop.addOwner()
    await shop.orchestrator.createTask(caller, shop.newTask(), key('mine'))
    expect((await shop.orchestrator.createTask(other, shop.newTask(), key('mine'))).kind).toBe('fresh')
  })

  it('stores no response, and leaves nothing after 24 hours (C7) [D-http-69]', async () => {
    const task = { ...shop.newTask(), payload: { url: 'https://private.example/diary.txt' } }
    await shop.orchestrator.createTask(caller, task, key('private'))
    const { rows } = await shop.database.pool.query(`select to_jsonb(k) as row from idempotency_keys k`)
    expect(JSON.stringify(rows)).not.toContain('diary')
    const before = new Date(shop.clock.now().getTime() + 1)
    expect(await forgetRequests(shop.database.pool, { before, limit: 1000 })).toBe(rows.length)
    expect((await shop.database.pool.query(`select from idempotency_keys`)).rowCount).toBe(0)
  })

  it('is deleted after 24 hours [D-http-55]', async () => {
    await shop.orchestrator.createTask(caller, shop.newTask(), key('old'))
    shop.clock.advance(24 * 3_600_000 - 1_000)
    expect((await shop.orchestrator.cancelTask(caller, shop.ids.next(), key('old')).catch((e) => e)).kind).toBe(
      'replayed',
    )
    shop.clock.advance(2_000)
    await expect(shop.orchestrator.cancelTask(caller, shop.ids.next(), key('old'))).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
