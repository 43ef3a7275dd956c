import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addUploadParts, insertPreview } from '@lathe/database'
import { type ObjectId, retention } from '@lathe/domain'
import { createWorkshop, someFile, type Workshop } from '@lathe/orchestrator/testing'
import { createStore, objectKey } from '@lathe/storage'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUnreferencedObjects } from './unreferenced-objects.ts'

const minAgeMs = 600_000
const stack = new AsyncDisposableStack()
let shop: Workshop
let store: Awaited<ReturnType<typeof createStore>>
let caller: Awaited<ReturnType<Workshop['addOwner']>>
beforeAll(async () => {
  shop = stack.use(await createWorkshop())
  const dir = stack.adopt(await mkdtemp(join(tmpdir(), 'lathe-unreferenced-')), (path) => rm(path, { recursive: true }))
  store = stack.use(await createStore({ kind: 'disk', dir }))
})
beforeEach(async () => {
  caller = await shop.addOwner()
})
afterAll(() => stack.disposeAsync())

const signal = AbortSignal.timeout(60_000)
const runOf = (attempt: number, n = 0) => `${attempt}-${String(n).padStart(16, '0')}`

async function put(taskId: ObjectId, attempt: number | string): Promise<string> {
  const key = objectKey({ taskId, attempt, n: 0 })
  await putAt(key)
  return key
}

async function putAt(key: string): Promise<void> {
  async function* content() {
    yield Buffer.from('bytes')
  }
  await store.put(key, content(), { signal })
}

async function isThere(key: string): Promise<boolean> {
  const body = await store.open(key, { signal })
  body?.destroy()
  return body !== undefined
}

/** Erases with a clock that is so much later than that of the tasks. */
async function eraseAfter(ms: number): Promise<void> {
  const now = () => new Date(Math.max(shop.clock.now().getTime(), Date.now()) + ms)
  const unreferenced = createUnreferencedObjects({ database: shop.database, store, clock: { now }, minAgeMs })
  for (const _ of await store.listPrefixes()) await unreferenced.erase()
}

const onceOld = () => eraseAfter(minAgeMs + retention.prefixMs + 1_000)

describe('objects that nothing refers to', () => {
  it('are the outputs of an attempt that another one followed, even while that one runs', async () => {
    const fence = await shop.start(caller, await shop.addWorker())
    const lost = await put(fence.taskId, runOf(1))
    await shop.desk.giveBack(fence)
    const second = { ...fence, attempt: 2 }
    expect(await shop.desk.claim(second)).toBeDefined()
    const current = await put(fence.taskId, runOf(2))
    await onceOld()
    expect([await isThere(lost), await isThere(current)]).toEqual([false, true])

    // A failover may lose a claim: the same attempt runs twice, and one of the two is committed.
    const twin = await put(fence.taskId, runOf(2, 1))
    await onceOld()
    expect(await isThere(twin)).toBe(true)
    const files = [{ ...someFile, key: current }]
    expect(await shop.desk.complete(second, { files, warnings: [] })).toBe('written')
    await onceOld()
    expect([await isThere(twin), await isThere(current)]).toEqual([false, true])
  })

  it('are contents whose task was never created, once they are old', async () => {
    const key = await put(shop.ids.next(shop.clock.now()), 0)
    await eraseAfter(minAgeMs - 60_000)
    expect(await isThere(key)).toBe(true)
    await onceOld()
    expect(await isThere(key)).toBe(false)
  })

  it('are contents of a request once its task has ended, and not before', async () => {
    const fence = await shop.start(caller, await shop.addWorker())
    const key = await put(fence.taskId, 0)
    await onceOld()
    expect(await isThere(key)).toBe(true)
    await shop.desk.complete(fence, { files: [{ ...someFile, key: `x/${fence.taskId}/1/0` }], warnings: [] })
    await onceOld()
    expect(await isThere(key)).toBe(false)
  })

  it('are interrupted uploads, once their form has ended; the parts of one in progress are kept', async () => {
    const task = shop.newTask('import/upload')
    await shop.orchestrator.createTask(caller, task)
    const expiresAt = new Date(shop.clock.now().getTime() + retention.fileMs)
    const upload = { taskId: task.id, id: 'open', filename: 'a.bin', length: 10 }
    await shop.orchestrator.startResumable({ ...upload, ownerId: caller.ownerId, expiresAt })
    const [part, half] = [await put(task.id, 'r0000000000000001'), await put(task.id, 'u0000000000000001')]
    await addUploadParts(shop.database.pool, upload, [{ start: 0, size: 4, key: part }])
    await onceOld()
    expect([await isThere(part), await isThere(half)]).toEqual([true, true])
    await shop.orchestrator.cancelTask(caller, task.id)
    await onceOld()
    // The record of the part is there until another duty has deleted both.
    expect([await isThere(part), await isThere(half)]).toEqual([true, false])
  })

  it('are not previews, which are stored under the task they show', async () => {
    const worker = await shop.addWorker()
    const [shown, preview] = [await shop.start(caller, worker), await shop.start(caller, worker)]
    const original = await put(shown.taskId, runOf(1))
    await shop.desk.complete(shown, { files: [{ ...someFile, key: original }], warnings: [] })
    const page = { taskId: shown.taskId, file: 0, page: 1, previewId: preview.taskId }
    await insertPreview(shop.database.pool, { ...page, ownerId: caller.ownerId, createdAt: shop.clock.now() })
    const [small, lost] = [await put(shown.taskId, runOf(1, 1)), await put(shown.taskId, runOf(1, 2))]
    await onceOld()
    expect([await isThere(small), await isThere(lost)]).toEqual([true, true])
    await shop.desk.complete(preview, { files: [{ ...someFile, key: small }], warnings: [] })
    await onceOld()
    expect([await isThere(original), await isThere(small), await isThere(lost)]).toEqual([true, true, false])
  })

  it('are left-overs of health checks, and no keys of another form', async () => {
    const bucket = objectKey({ taskId: shop.ids.next(shop.clock.now()), attempt: 0, n: 0 }).split('/')[0]
    const keys = [`${bucket}/check/1`, `${bucket}/newer/1/0/0`, 'foreign/1/0']
    for (const key of keys) await putAt(key)
    await onceOld()
    expect(await Promise.all(keys.map(isThere))).toEqual([false, true, true])
  })

  it('are looked for in one prefix at a time, each twice within their least age', async () => {
    const listed: string[] = []
    let now = 1_800_000_000_000
    const prefixes = [600, 300, 0, -300].map((ago) => String(now / 1000 - ago))
    const unreferenced = createUnreferencedObjects({
      database: shop.database,
      store: {
        listPrefixes: async () => prefixes,
        async *list(prefix) {
          listed.push(prefix)
          yield []
        },
        delete: async () => expect.unreachable(),
      },
      clock: { now: () => new Date(now) },
      minAgeMs: 300_000,
    })
    for (let n = 0; n < 5; n++) await unreferenced.erase()
    // The order is random, so that each gets its turn if the leader changes often.
    expect(listed.toSorted()).toEqual([`${prefixes[0]}/`, `${prefixes[1]}/`])
    now += 150_000
    for (let n = 0; n < 5; n++) await unreferenced.erase()
    expect(listed).toHaveLength(4)
  })
})
