import { bytes } from '@lathe/database'
import { type EngineFamily, engineFamilies, type ObjectId } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from './context.ts'
import type { NewTask } from './plan-creation.ts'
import { createWorkshop, someFile, type Workshop } from './testing/workshop.ts'

let shop: Workshop
let caller: Caller
beforeAll(async () => {
  shop = await createWorkshop()
  caller = await shop.addOwner()
})
afterAll(() => shop[Symbol.asyncDispose]())

const queuedAs = (id: ObjectId) => shop.queued.filter(({ entry }) => entry.task === id).map(({ entry }) => entry.family)

const convert = (input: ObjectId, to: string, options = {}): NewTask => ({
  ...shop.newTask('convert', [input]),
  payload: { output_format: to, options },
})

/** A task that has created one file of a format. */
async function stored(format: string, owner = caller): Promise<ObjectId> {
  const fence = await shop.start(owner, await shop.addWorker())
  await shop.desk.complete(fence, { files: [{ ...someFile, key: `000000/${fence.taskId}/1/0`, format }], warnings: [] })
  return fence.taskId
}

async function workerOf(...families: EngineFamily[]): Promise<ObjectId> {
  const id = shop.ids.next()
  const lacks = engineFamilies.filter((family) => !families.includes(family))
  await shop.desk.register({ id, host: 'test', pools: ['process'], sandboxLevel: 2, lacks })
  return id
}

describe('a task that needs an engine', () => {
  it.each([
    ['jpg', 'webp', {}, 'image'],
    ['mp4', 'mp3', {}, 'av'],
    ['docx', 'pdf', {}, 'office'],
    ['pdf', 'png', {}, 'pdf'],
    ['md', 'pdf', {}, 'browser'],
    ['pdf', 'txt', { ocr: true }, 'ocr'],
    ['nothing-known', 'pdf', {}, undefined],
  ] as const)('waits for the family that makes %s into %s with %j: %s', async (from, to, options, family) => {
    const task = convert(await stored(from), to, options)
    await shop.orchestrator.createTask(caller, task)
    expect(queuedAs(task.id)).toEqual([family])
  })

  it('waits for its family too when a key makes its request repeatable', async () => {
    const task = convert(await stored('docx'), 'pdf')
    await shop.orchestrator.createTask(caller, task, { key: 'once', requestHash: 'ab'.repeat(32) })
    expect(queuedAs(task.id)).toEqual(['office'])
  })

  it('waits for its family in a job, as soon as its input is there', async () => {
    const id = shop.ids.next(shop.clock.now())
    const source = { ...shop.newTask('import/url'), name: 'a' }
    const task = { ...convert(source.id, 'pdf'), inputs: [{ kind: 'sibling', name: 'a' }] as const }
    await shop.orchestrator.createJob(caller, { id, tag: null, tasks: [source, task] })
    const fence = { taskId: source.id, attempt: 1, workerId: await shop.addWorker() }
    const claim = await shop.desk.claim(fence)
    expect(queuedAs(task.id)).toEqual([])
    const file = { ...someFile, key: `000000/${source.id}/1/0`, format: 'docx' }
    await shop.desk.complete(fence, { files: [file], warnings: [] }, claim?.standing)
    expect(queuedAs(task.id)).toEqual(['office'])
  })

  it('waits for its family when it comes from the backlog', async () => {
    const owner = await shop.addOwner(1)
    const input = await stored('md', owner)
    const [first, second] = [convert(input, 'pdf'), convert(input, 'pdf')]
    for (const task of [first, second]) await shop.orchestrator.createTask(owner, task)
    expect([first, second].map(({ id }) => queuedAs(id).length)).toEqual([1, 0])
    const fence = { taskId: first.id, attempt: 1, workerId: await shop.addWorker() }
    await shop.desk.claim(fence)
    await shop.desk.complete(fence, { files: [], warnings: [] })
    expect(queuedAs(second.id)).toEqual(['browser'])
  })

  it('is not claimed by a worker of another family, and goes to the right queue when one returns it', async () => {
    const task = convert(await stored('jpg'), 'webp')
    await shop.orchestrator.createTask(caller, task)
    const [office, image] = [await workerOf('office'), await workerOf('image')]
    const fence = { taskId: task.id, attempt: 1, workerId: office }
    expect(await shop.desk.claim(fence)).toBeUndefined()
    expect(await shop.desk.claim({ ...fence, workerId: image })).toMatchObject({ needs: 'image' })
    await shop.desk.giveBack({ ...fence, workerId: image }, { needs: 'office' })
    expect(queuedAs(task.id)).toEqual(['image', 'office'])
    expect(await shop.desk.claim({ ...fence, attempt: 2 })).toMatchObject({ needs: 'office' })
  })
})

describe('a task that needs a newer version', () => {
  it('is claimed only by workers that support it', async () => {
    const task = shop.newTask()
    await shop.orchestrator.createTask(await shop.addOwner(), task)
    await shop.database.pool.query('update tasks set needs_version = 7 where id = $1', [bytes(task.id)])
    const [old, fresh] = [shop.ids.next(), shop.ids.next()]
    const worker = { host: 'test', pools: ['transfer'], sandboxLevel: 2 }
    await shop.desk.register({ ...worker, id: old, catalogVersion: 6 })
    await shop.desk.register({ ...worker, id: fresh, catalogVersion: 7 })
    const fence = { taskId: task.id, attempt: 1, workerId: old }
    expect(await shop.desk.claim(fence)).toBeUndefined()
    expect(await shop.desk.claim({ ...fence, workerId: fresh })).toBeDefined()
  })
})
