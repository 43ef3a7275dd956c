import { findTask, findTaskById } from '@lathe/database'
import { failure } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import { mostInputFiles } from './find-inputs.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let caller: Caller
let workerId: string
beforeAll(async () => {
  shop = await createWorkshop()
  caller = await shop.addOwner()
  workerId = await shop.addWorker()
})
afterAll(() => shop[Symbol.asyncDispose]())

type Operation = Parameters<Workshop['newTask']>[0]

async function claim(operation: Operation, inputs: readonly string[] = []) {
  const task = shop.newTask(operation, inputs)
  await shop.orchestrator.createTask(caller, task)
  const fence = { taskId: task.id, attempt: 1, workerId }
  return { id: task.id, fence, claimed: await shop.desk.claim(fence) }
}

async function finish(operation: Operation, inputs: readonly string[], outcome: object): Promise<string> {
  const { id, fence } = await claim(operation, inputs)
  await shop.desk.complete(fence, { files: [], warnings: [], ...outcome })
  return id
}

const importFiles = (count: number) =>
  finish('import/objstore_a', [], { files: Array.from({ length: count }, (_, n) => ({ ...someFile, n })) })

const exported = [{ path: 'out/x.jpg', size: 3, sha256: 'ab'.repeat(32) }]

describe('the inputs of a task', () => {
  it('are those of an export to foreign storage where it names one (C10) [D-op-10]', async () => {
    const source = await importFiles(1)
    const stored = await finish('export/objstore_a', [source], { exported })
    const again = await finish('export/sftp', [stored], { exported })
    const { claimed } = await claim('merge', [again, source])
    expect(claimed?.inputs.map(({ id }) => id)).toEqual([source, source])
  })

  it('are used as often as they are named, and are waited for once (C10)', async () => {
    const first = shop.newTask('import/url')
    await shop.orchestrator.createTask(caller, first)
    const merge = shop.newTask('merge', [first.id, first.id])
    await shop.orchestrator.createTask(caller, merge)
    const fence = { taskId: first.id, attempt: 1, workerId }
    await shop.desk.claim(fence)
    await shop.desk.complete(fence, { files: [someFile], warnings: [] })
    const claimed = await shop.desk.claim({ taskId: merge.id, attempt: 1, workerId })
    expect(claimed?.inputs.map(({ id }) => id)).toEqual([first.id, first.id])
  })

  it('are named as deleted if that is why a worker finds no file, and otherwise as expired', async () => {
    const [source, kept] = [await importFiles(1), await importFiles(1)]
    const stored = await finish('export/objstore_a', [source], { exported })
    const reasonOf = async (id: string) => (await findTaskById(shop.database.pool, id))?.reason
    const tasks = {
      deleted: await claim('export/url', [source]),
      exported: await claim('export/url', [stored]),
      expired: await claim('export/url', [kept]),
    }
    await shop.orchestrator.deleteTask(caller, source)
    for (const { claimed } of Object.values(tasks)) if (claimed) await shop.desk.fail(claimed, failure('input_expired'))
    expect(await reasonOf(tasks.deleted.id)).toBe('input_deleted')
    expect(await reasonOf(tasks.exported.id)).toBe('input_deleted')
    expect(await reasonOf(tasks.expired.id)).toBe('input_expired')
  })

  it('have a maximum number of files, however often one is named (C10) [L-inputs]', async () => {
    const source = await importFiles(1000)
    const times = (count: number) => Array.from({ length: count }, () => source)
    const most = mostInputFiles / 1000
    expect((await claim('merge', times(most))).claimed?.inputs.length).toBe(most)
    const { id, claimed } = await claim('merge', times(most + 1))
    expect(claimed).toBeUndefined()
    const task = await findTask(shop.database.pool, { ownerId: caller.ownerId, id, now: shop.clock.now() })
    expect(task).toMatchObject({ status: 'failed', reason: 'limit_exceeded' })
  })
})

describe('files of one task, 20,000', () => {
  it.each([
    ['one below', -1],
    ['the limit', 0],
    ['one above', 1],
  ])('%s [L-inputs]', async (_, step) => {
    const [many, rest] = [await importFiles(1000), await importFiles(1000 + step)]
    const inputs = [...Array.from({ length: 19 }, () => many), rest]
    const { claimed } = await claim('merge', inputs)
    const count = claimed?.inputs.reduce((sum, { files }) => sum + files.length, 0)
    expect(count).toBe(step <= 0 ? 20_000 + step : undefined)
  })
})
