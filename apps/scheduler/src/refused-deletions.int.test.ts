import { addUploadParts, insertFiles, markFilesDeleted } from '@lathe/database'
import { someFile } from '@lathe/orchestrator/testing'
import { type ObjectStore, ObjectsNotDeleted, objectKey } from '@lathe/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDutyBench } from './testing/duty-bench.ts'

const stack = new AsyncDisposableStack()
let bench: Awaited<ReturnType<typeof createDutyBench>>
let shop: (typeof bench)['shop']
let store: (typeof bench)['store']
beforeAll(async () => {
  bench = stack.use(await createDutyBench())
  ;({ shop, store } = bench)
})
afterAll(() => stack.disposeAsync())

const signal = AbortSignal.timeout(60_000)
async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

describe('the duties, with an object that the store refuses to delete', () => {
  const old = Math.floor(Date.now() / 300_000) * 300 - 6 * 3600
  /** A store that refuses to delete what has this text in its key. */
  function refusing(bad: string): ObjectStore {
    const refuse = async () => {
      throw new Error(`AccessDenied for ${bad}`)
    }
    return {
      ...store,
      deletePrefix: async (prefix) => (prefix.includes(bad) ? refuse() : store.deletePrefix(prefix)),
      delete: async (keys) => {
        const refused = keys.filter((key) => key.includes(bad))
        await store.delete(keys.filter((key) => !refused.includes(key)))
        if (refused.length > 0) throw new ObjectsNotDeleted(refused, new Error('AccessDenied'))
      },
    }
  }
  const runWith = (own: ObjectStore, name: string) =>
    bench
      .dutiesOn(own)
      .find((duty) => duty.name === name)
      ?.run()
  const isThere = async (key: string) => {
    const found = await store.open(key, { signal })
    found?.destroy()
    return found !== undefined
  }

  it('expire the files of all other prefixes, and report the error', async () => {
    const ids = [0, 300, 600].map((s) => shop.ids.next(new Date((old + s) * 1000)))
    const keys = ids.map((taskId) => objectKey({ taskId, attempt: 1, n: 0 }))
    for (const key of keys) await store.put(key, bytesOf('x'), { signal })
    const run = runWith(refusing(String(old)), 'expire-files')
    await expect(run).rejects.toThrow('1 of 3 failed, the first one: AccessDenied')
    expect(await Promise.all(keys.map(isThere))).toEqual([true, false, false])
    await store.deletePrefix(String(old))
  })

  it('erase the other deleted files, and do not erase these again', async () => {
    const { ownerId } = await shop.addOwner()
    const keys: string[] = []
    for (let n = 0; n < 3; n += 1) {
      const taskId = shop.ids.next(shop.clock.now())
      const key = objectKey({ taskId, attempt: 1, n: 0 })
      await store.put(key, bytesOf('x'), { signal })
      const files = [{ ...someFile, key }]
      await insertFiles(shop.database.pool, { ownerId, taskId, createdAt: shop.clock.now(), files })
      await markFilesDeleted(shop.database.pool, { ownerId, taskIds: [taskId] })
      keys.push(key)
    }
    const run = runWith(refusing(keys[0] ?? ''), 'erase-deleted')
    await expect(run).rejects.toThrow('AccessDenied')
    expect(await Promise.all(keys.map(isThere))).toEqual([true, false, false])
    const { rows } = await shop.database.pool.query(
      `select erased_at is not null as erased from files where key = any($1) order by key`,
      [keys],
    )
    expect(rows.map(({ erased }) => erased)).toEqual([false, true, true])
    expect(await runWith(store, 'erase-deleted')).toBe(1)
  })

  it('erase the parts of all other uploads that have ended', async () => {
    const caller = await shop.addOwner()
    const keys: string[] = []
    for (const id of ['one', 'two', 'three']) {
      const task = shop.newTask('import/upload')
      await shop.orchestrator.createTask(caller, task)
      const upload = { taskId: task.id, id, filename: 'a.bin', length: 10 }
      const expiresAt = new Date(shop.clock.now().getTime() + 14_400_000)
      await shop.orchestrator.startResumable({ ...upload, ownerId: caller.ownerId, expiresAt })
      const key = objectKey({ taskId: task.id, attempt: 'r1', n: 0 })
      await store.put(key, bytesOf('half'), { signal })
      await addUploadParts(shop.database.pool, upload, [{ start: 0, size: 4, key }])
      await shop.orchestrator.cancelTask(caller, task.id)
      keys.push(key)
    }
    const run = runWith(refusing(keys[0] ?? ''), 'end-uploads')
    await expect(run).rejects.toThrow('1 of 3 failed')
    expect(await Promise.all(keys.map(isThere))).toEqual([true, false, false])
    expect(await runWith(store, 'end-uploads')).toBe(1)
  })

  it('visit the other prefixes with unreferenced objects', async () => {
    const ids = [3600, 3900].map((s) => shop.ids.next(new Date((old + s) * 1000)))
    const keys = ids.map((taskId) => objectKey({ taskId, attempt: 1, n: 0 }))
    for (const key of keys) await store.put(key, bytesOf('x'), { signal })
    shop.clock.advance(120_000)
    const [bad = '', good = ''] = keys
    const erase = bench.dutiesOn(refusing(bad)).find(({ name }) => name === 'erase-unreferenced')
    const failed: unknown[] = []
    for (let n = 0; n < 4; n += 1) await erase?.run().catch((error) => failed.push(error))
    expect([failed.length > 0, await isThere(bad), await isThere(good)]).toEqual([true, true, false])
    for (const key of keys) await store.deletePrefix(key.slice(0, key.indexOf('/')))
    shop.clock.advance(-120_000)
  })
})
