import { bytes, insertWebhook, noteWebhooks } from '@lathe/database'
import { createdAtOf, createIdMint } from '@lathe/domain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOrchestrator, createWorkerDesk } from './orchestrator.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await createWorkshop({ slots: 10 })
})
afterAll(() => shop[Symbol.asyncDispose]())

const dayMs = 86_400_000

it.each([3 * dayMs, -3 * dayMs])(
  'a process whose clock is %i ms wrong writes events and deliveries at PostgreSQL’s time',
  async (offMs) => {
    const { database, clock } = shop
    const now = () => new Date(Date.now() + offMs)
    const ids = createIdMint({ cell: 0, process: offMs > 0 ? 77 : 78, firstCount: 5, now })
    const context = { ...shop.context, ids }
    const desk = createWorkerDesk(context)
    const orchestrator = createOrchestrator(context)
    const workerId = await shop.addWorker()
    for (const hasWebhooks of [true, false]) {
      const owner = await shop.addOwner()
      if (hasWebhooks) {
        const types = [
          'task.created',
          'task.started',
          'task.completed',
          'job.created',
          'job.started',
          'job.completed',
        ] as const
        await insertWebhook(database.pool, {
          ...{ id: shop.ids.next(), ownerId: owner.ownerId, kind: 'own', events: [...types], description: null },
          ...{ enabled: true, disabledReason: null, sealed: 'aa', createdAt: clock.now(), updatedAt: clock.now() },
        } as never)
        await noteWebhooks(database.pool, owner.ownerId)
      }
      const [alone, inJob] = [shop.newTask(), shop.newTask()]
      await orchestrator.createTask(owner, alone)
      await orchestrator.createJob(owner, { id: shop.ids.next(clock.now()), tag: null, tasks: [inJob] })
      for (const { id } of [alone, inJob]) {
        const fence = { taskId: id, attempt: 1, workerId }
        const claim = await desk.claim(fence)
        expect(Math.abs((claim?.claimedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
        expect(await desk.complete(fence, { files: [someFile], warnings: [] }, claim?.standing)).toBe('written')
      }
      const { rows } = await database.pool.query<{ id: string; deliveries: number }>(
        `select e.id, (select count(*)::int from webhook_deliveries d where d.event_id = e.id) as deliveries from events e
         join tasks t on t.owner_id = $1 and e.subject_id = coalesce(t.job_id, t.id)`,
        [bytes(owner.ownerId)],
      )
      expect(rows.length).toBeGreaterThanOrEqual(7)
      for (const { id, deliveries } of rows) {
        expect(Math.abs(createdAtOf(id).getTime() - Date.now())).toBeLessThan(60_000)
        expect(deliveries).toBe(hasWebhooks ? 1 : 0)
      }
    }
  },
)
