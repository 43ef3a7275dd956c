import { bytes, eraseDeliveriesBefore, recordTry } from '@lathe/database'
import { firstIdAt, oldestShownAt } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let caller: Caller
beforeAll(async () => {
  shop = await createWorkshop()
  caller = await shop.addOwner()
})
afterAll(() => shop[Symbol.asyncDispose]())

const attempt = { at: '2026-01-01T12:00:00.000Z', status: 500, tookMs: 3, answer: 'you sent me diary.txt' }

/** A delivery for a subject that was attempted once and is claimed for the second attempt. */
async function addDelivery(subjectId: string): Promise<{ id: string; lease: string }> {
  const [id, lease] = [shop.ids.next(), shop.ids.next()]
  await shop.database.pool.query(
    `insert into webhook_deliveries (id, webhook_id, owner_id, event_id, type, subject_id, seq, event_at, body, attempts, lease,
                                     tries, due_at, created_at)
     values ($1, $1, $2, $1, 'task.created', $3, 1, now(), 'about diary.txt', $4, $5, 1, now(), now() - interval '1 second')`,
    [bytes(id), bytes(caller.ownerId), bytes(subjectId), JSON.stringify([attempt]), bytes(lease)],
  )
  return { id, lease }
}

async function read(id: string) {
  const { rows } = await shop.database.pool.query<{ body: string | null; attempts: object[] }>(
    `select body, attempts from webhook_deliveries where id = $1`,
    [bytes(id)],
  )
  return rows[0]
}

const { answer: _, ...withoutAnswer } = attempt

describe('the content of webhook deliveries about a task', () => {
  it('is erased with the task, and an attempt in progress does not restore it (C7) [D-http-69]', async () => {
    const [task, other] = [shop.newTask(), shop.newTask()]
    for (const one of [task, other]) await shop.orchestrator.createTask(caller, one)
    const [delivery, kept] = [await addDelivery(task.id), await addDelivery(other.id)]
    await shop.orchestrator.deleteTask(caller, task.id)
    expect(await read(delivery.id)).toEqual({ body: null, attempts: [withoutAnswer] })
    expect(await read(kept.id)).toEqual({ body: 'about diary.txt', attempts: [attempt] })
    const end = { status: 'pending', reason: null, dueAt: new Date(), endedAt: null } as const
    await recordTry(shop.database.pool, { ...delivery, ...end, attempt, body: 'about diary.txt' })
    expect(await read(delivery.id)).toEqual({ body: null, attempts: [withoutAnswer, withoutAnswer] })
  })

  it('is erased with the job it is in (C7)', async () => {
    const id = shop.ids.next(shop.clock.now())
    const task = { ...shop.newTask(), name: 'a' }
    await shop.orchestrator.createJob(caller, { id, tag: 'diary', tasks: [task] })
    const delivery = await addDelivery(id)
    await shop.orchestrator.deleteJob(caller, id)
    expect(await read(delivery.id)).toEqual({ body: null, attempts: [withoutAnswer] })
    const { rows } = await shop.database.pool.query(`select tag from jobs where id = $1`, [bytes(id)])
    expect(rows).toEqual([{ tag: null }])
  })

  it('is erased when the 24 hours of the task are over, and not before (C7) [D-http-69]', async () => {
    const now = new Date()
    const aged = (ms: number) => shop.ids.next(new Date(now.getTime() - ms))
    const [old, young] = [await addDelivery(aged(86_402_000)), await addDelivery(aged(86_390_000))]
    const before = firstIdAt(oldestShownAt(now))
    expect(await eraseDeliveriesBefore(shop.database.pool, { before, limit: 100 })).toBe(1)
    expect((await read(old.id))?.body).toBeNull()
    expect((await read(young.id))?.body).toBe('about diary.txt')
  })
})
