import { bytes, listUsage, sumUsage } from '@lathe/database'
import { failure, type ObjectId, usageGroups } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { createWorkshop, firstAttempt, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let workerId: ObjectId
beforeAll(async () => {
  shop = await createWorkshop({ slots: 100 })
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

const days = { firstDay: '2000-01-01', lastDay: '2999-12-31' }
const sumsOf = (ownerId: ObjectId) => sumUsage(shop.database.pool, { ownerId, ...days })
const rowsOf = (ownerId: ObjectId) =>
  listUsage(shop.database.pool, { ownerId, ...days, groupBy: usageGroups, limit: 100, offset: 0 })

async function upload(caller: Caller): Promise<ObjectId> {
  const task = shop.newTask('import/upload')
  await shop.orchestrator.createTask(caller, task)
  await shop.orchestrator.completeUpload(task.id, someFile, { ownerId: caller.ownerId, isLone: true })
  return task.id
}

async function convert(caller: Caller, input: ObjectId) {
  const task = { ...shop.newTask('convert', [input]), payload: { output_format: '.WEBP' } }
  await shop.orchestrator.createTask(caller, task)
  const fence = { taskId: task.id, attempt: 1, workerId }
  const claim = await shop.desk.claim(fence)
  if (!claim) throw new Error('the task was not claimed')
  return { fence, claim }
}

const made = { files: [{ ...someFile, format: 'webp', size: 1_000 }], warnings: [] }

describe('usage', () => {
  it('has the day, the operation, the pair and the engines of a conversion, with its time and bytes', async () => {
    const caller = await shop.addOwner()
    const { fence, claim } = await convert(caller, await upload(caller))
    await shop.desk.complete(fence, { ...made, engineMs: 2_500 }, claim.standing)
    const day = new Date().toISOString().slice(0, 10)
    const none = { failed: 0, canceled: 0 }
    expect(await rowsOf(caller.ownerId)).toEqual([
      {
        day,
        operation: 'convert',
        from: 'jpg',
        to: 'webp',
        engine: 'image',
        completed: 1,
        ...none,
        engineMs: 2_500,
        bytes: 1_000,
      },
      { day, operation: 'import/upload', from: '', to: '', engine: '', completed: 1, ...none, engineMs: 0, bytes: 3 },
    ])
  })

  it('is the same by the general path, and for a task that fails', async () => {
    const caller = await shop.addOwner()
    const source = await upload(caller)
    const first = await convert(caller, source)
    await shop.desk.complete(first.fence, { ...made, engineMs: 100 }, { ...first.claim.standing, isLone: false })
    const second = await convert(caller, source)
    await shop.desk.fail({ ...second.claim, engineMs: 300 }, failure('input_damaged'))
    const [row] = await rowsOf(caller.ownerId)
    expect(row).toMatchObject({ from: 'jpg', to: 'webp', engine: 'image', completed: 1, failed: 1, engineMs: 400 })
  })

  it('counts an end once, however often it is reported, and nothing of an attempt that is tried again [D-http-73]', async () => {
    const caller = await shop.addOwner()
    const { fence, claim } = await convert(caller, await upload(caller))
    expect(await shop.desk.fail({ ...claim, engineMs: 700 }, failure('source_unreachable'))).toBe('written')
    expect(await sumsOf(caller.ownerId)).toMatchObject({ completed: 1, failed: 0, engineMs: 0 })
    const again = { ...fence, attempt: 2 }
    await shop.database.pool.query(`update tasks set not_before = null where id = $1`, [bytes(fence.taskId)])
    const second = await shop.desk.claim(again)
    for (const end of ['written', 'refused', 'refused']) {
      expect(await shop.desk.complete(again, { ...made, engineMs: 40 }, second?.standing)).toBe(end)
    }
    expect(await sumsOf(caller.ownerId)).toMatchObject({ completed: 2, failed: 0, engineMs: 40 })
  })

  it('counts an end once that is reported twice at once, together with that of another task', async () => {
    const caller = await shop.addOwner()
    const source = await upload(caller)
    const [other, one] = [await convert(caller, source), await convert(caller, source)]
    const complete = ({ fence, claim }: typeof one) =>
      shop.desk.complete(fence, { ...made, engineMs: 10 }, claim.standing)
    // While the first is written, the others wait and are written together.
    await Promise.all([complete(other), complete(one), complete(one)])
    expect(await sumsOf(caller.ownerId)).toMatchObject({ completed: 3, engineMs: 20, bytes: 2_003 })
  })

  it('counts what is canceled and deleted while open, and not what is deleted after its end [D-http-73]', async () => {
    const caller = await shop.addOwner()
    const [a, b, c] = [await upload(caller), shop.newTask(), shop.newTask()]
    await shop.orchestrator.createTask(caller, b)
    await shop.orchestrator.createTask(caller, c)
    await shop.orchestrator.cancelTask(caller, b.id)
    await shop.orchestrator.deleteTask(caller, c.id)
    const before = await sumsOf(caller.ownerId)
    expect(before).toMatchObject({ completed: 1, failed: 0, canceled: 2 })
    await shop.orchestrator.deleteTask(caller, a)
    await shop.orchestrator.deleteTask(caller, b.id)
    expect(await sumsOf(caller.ownerId)).toEqual(before)
  })

  it('counts tasks that fail on creation, and all that waited for a failed one', async () => {
    const caller = await shop.addOwner()
    const source = shop.newTask('import/url')
    await shop.orchestrator.createTask(caller, source)
    await shop.orchestrator.createTask(caller, shop.newTask('convert', [source.id]))
    const fence = { taskId: source.id, attempt: 1, workerId }
    await shop.desk.claim(fence)
    await shop.desk.fail(firstAttempt(fence), failure('input_damaged'))
    expect(await sumsOf(caller.ownerId)).toMatchObject({ completed: 0, failed: 2 })
    await shop.orchestrator.createTask(caller, shop.newTask('convert', [source.id]))
    expect(await sumsOf(caller.ownerId)).toMatchObject({ completed: 0, failed: 3 })
  })
})

/** A repeatable sequence of pseudo-random numbers. */
function createChance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe('the sums', () => {
  it('match the tasks, after retries, lost responses, cancels, deletions and concurrent workers [D-http-73]', async () => {
    const caller = await shop.addOwner()
    const source = await upload(caller)
    const chance = createChance(42)
    const lives = Array.from({ length: 80 }, () => [chance(7), chance(1_000)] as const)
    async function live([kind, ms]: readonly [number, number]): Promise<void> {
      const { fence, claim } = await convert(caller, source)
      const outcome = { ...made, engineMs: ms }
      const standing = { ...claim.standing, isLone: kind % 2 === 0 }
      if (kind === 0 || kind === 1) await shop.desk.complete(fence, outcome, standing)
      // A report whose answer was lost is sent again; one of them has another end.
      else if (kind === 2) {
        await Promise.all([
          shop.desk.complete(fence, outcome, standing),
          shop.desk.complete(fence, outcome, standing),
          shop.desk.fail({ ...claim, engineMs: ms }, failure('input_damaged')),
        ])
      } else if (kind === 3) {
        await Promise.all([
          shop.orchestrator.cancelTask(caller, fence.taskId).catch(() => undefined),
          shop.desk.complete(fence, outcome, standing),
        ])
      } else if (kind === 4) await shop.orchestrator.deleteTask(caller, fence.taskId)
      else if (kind === 5) await shop.desk.fail({ ...claim, engineMs: ms }, failure('input_damaged'))
      else {
        await shop.desk.giveBack(fence)
        const again = { ...fence, attempt: 2 }
        const second = await shop.desk.claim(again)
        expect(await shop.desk.complete(fence, outcome, standing)).toBe('refused')
        await shop.desk.complete(again, outcome, second?.standing)
      }
    }
    for (let at = 0; at < lives.length; at += 8) await Promise.all(lives.slice(at, at + 8).map(live))

    const { rows } = await shop.database.pool.query(
      `select count(*) filter (where status = 'completed')::int as completed,
              count(*) filter (where status = 'failed')::int as failed,
              count(*) filter (where status in ('canceled', 'deleted'))::int as canceled, count(*)::int as tasks
         from tasks where owner_id = $1`,
      [bytes(caller.ownerId)],
    )
    const { tasks, ...ends } = rows[0] ?? {}
    expect(tasks).toBe(81)
    const sums = await sumsOf(caller.ownerId)
    expect(sums).toMatchObject(ends)
    expect(sums.completed + sums.failed + sums.canceled).toBe(81)
    const { rows: used } = await shop.database.pool.query(`select used_ms::float8 as ms from owners where id = $1`, [
      bytes(caller.ownerId),
    ])
    expect(sums.engineMs).toBeCloseTo(used[0]?.ms ?? 0, 0)
    const files = await shop.database.pool.query(
      `select sum(f.size)::float8 as bytes from files f join tasks t on t.id = f.task_id where t.owner_id = $1`,
      [bytes(caller.ownerId)],
    )
    expect(sums.bytes).toBe(files.rows[0]?.bytes)
  })
})
