import {
  addUploadParts,
  bytes,
  closeAccount,
  findPreview,
  findResumable,
  insertAnonymousOwner,
  insertAudit,
  insertDeviceCode,
  insertFiles,
  insertPreview,
  insertSession,
  listAudit,
  listPairRates,
  markFilesDeleted,
  pollDeviceCode,
} from '@lathe/database'
import { someFile } from '@lathe/orchestrator/testing'
import { objectKey } from '@lathe/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Duty } from './duties.ts'
import { createDutyBench } from './testing/duty-bench.ts'

const stack = new AsyncDisposableStack()
let bench: Awaited<ReturnType<typeof createDutyBench>>
let shop: (typeof bench)['shop']
let store: (typeof bench)['store']
let duties: readonly Duty[]
beforeAll(async () => {
  bench = stack.use(await createDutyBench())
  ;({ shop, store } = bench)
  duties = bench.dutiesOn(store)
})
afterAll(() => stack.disposeAsync())

const signal = AbortSignal.timeout(60_000)
async function* bytesOf(text: string) {
  yield Buffer.from(text)
}
const run = (name: string) => duties.find((duty) => duty.name === name)?.run()

describe('the duties', () => {
  it('erase the bytes of deleted files that are not erased yet', async () => {
    const caller = await shop.addOwner()
    const { taskId } = await shop.start(caller, await shop.addWorker())
    const key = objectKey({ taskId, attempt: 1, n: 0 })
    await store.put(key, bytesOf('secret'), { signal })
    const { ownerId } = caller
    const files = [{ ...someFile, key }]
    await insertFiles(shop.database.pool, { ownerId, taskId, createdAt: shop.clock.now(), files })
    await markFilesDeleted(shop.database.pool, { ownerId, taskIds: [taskId] })
    expect(await run('erase-deleted')).toBe(1)
    expect(await store.open(key, { signal })).toBeUndefined()
    expect(await run('erase-deleted')).toBe(0)
    const { rows } = await shop.database.pool.query('select erased_at from files where task_id = $1', [bytes(taskId)])
    expect(rows[0].erased_at).toBeInstanceOf(Date)
  })

  it('delete the jobs, tasks and files of an account that was closed, and its owner when records are gone [D-auth-16]', async () => {
    const [closed, other] = [await shop.addOwner(), await shop.addOwner()]
    const keys: string[] = []
    for (const caller of [closed, other]) {
      const { taskId } = await shop.start(caller, await shop.addWorker())
      const key = objectKey({ taskId, attempt: 1, n: 0 })
      await store.put(key, bytesOf('secret'), { signal })
      const files = [{ ...someFile, key }]
      await insertFiles(shop.database.pool, { ownerId: caller.ownerId, taskId, createdAt: shop.clock.now(), files })
      await shop.orchestrator.createJob(caller, {
        id: shop.ids.next(shop.clock.now()),
        tag: null,
        tasks: [shop.newTask('import/upload')],
      })
      keys.push(key)
    }
    await shop.database.transaction((tx) => closeAccount(tx, closed.ownerId))
    expect(await run('delete-tasks-of-closed')).toBe(2)
    expect(await run('delete-tasks-of-closed')).toBe(0)
    // A request that had started before.
    await shop.orchestrator.createTask(closed, shop.newTask('import/upload'))
    expect(await run('delete-tasks-of-closed')).toBe(1)
    await run('erase-deleted')
    const left = await Promise.all(keys.map(async (key) => (await store.open(key, { signal })) !== undefined))
    expect(left).toEqual([false, true])
    const { rows } = await shop.database.pool.query(
      `select owner_id = $1 as gone, count(*) filter (where status <> 'deleted')::int as open from tasks
        where owner_id in ($1, $2) group by 1 order by 1`,
      [bytes(closed.ownerId), bytes(other.ownerId)],
    )
    expect(rows).toEqual([
      { gone: false, open: 2 },
      { gone: true, open: 0 },
    ])
    expect(await run('delete-accounts')).toBe(0)
    await shop.database.pool.query(`update closed_accounts set closed_at = now() - interval '26 hours'`)
    expect(await run('delete-accounts')).toBe(1)
    const owners = await shop.database.pool.query('select from owners where id = $1', [bytes(closed.ownerId)])
    expect(owners.rowCount).toBe(0)
  })

  it('erase the parts of an upload whose task has ended, and leave those of one that continues [D-op-83]', async () => {
    const caller = await shop.addOwner()
    const uploads = []
    for (const id of ['ended', 'open']) {
      const task = shop.newTask('import/upload')
      await shop.orchestrator.createTask(caller, task)
      const upload = { taskId: task.id, id, filename: 'a.bin', length: 10 }
      const expiresAt = new Date(shop.clock.now().getTime() + 14_400_000)
      await shop.orchestrator.startResumable({ ...upload, ownerId: caller.ownerId, expiresAt })
      const key = objectKey({ taskId: task.id, attempt: 'r1', n: 0 })
      await store.put(key, bytesOf('half'), { signal })
      expect(await addUploadParts(shop.database.pool, upload, [{ start: 0, size: 4, key }])).toBe(true)
      uploads.push({ ...upload, key })
    }
    const [ended, open] = uploads
    if (!ended || !open) throw new Error('two uploads were started')
    await shop.orchestrator.cancelTask(caller, ended.taskId)
    expect(await run('end-uploads')).toBe(1)
    expect(await store.open(ended.key, { signal })).toBeUndefined()
    expect(await findResumable(shop.database.pool, ended.taskId, ended.id)).toBeUndefined()
    expect(await store.open(open.key, { signal })).toBeDefined()
    expect(await findResumable(shop.database.pool, open.taskId, open.id)).toMatchObject({ received: 4, parts: 1 })
    expect(await run('end-uploads')).toBe(0)
  })

  it('delete Idempotency-Keys and the content of webhook deliveries after 24 hours (C7)', async () => {
    const { ownerId } = await shop.addOwner()
    const [id, old] = [shop.ids.next(), shop.ids.next(new Date(shop.clock.now().getTime() - 86_460_000))]
    const { pool } = shop.database
    const addKey = `insert into idempotency_keys (day, owner_id, key, request_hash, subject_id, created_at)
                    values (current_date, $1, $2, $1, $1, now() - $3 * interval '1 hour')`
    await pool.query(addKey, [bytes(ownerId), 'old', 25])
    await pool.query(addKey, [bytes(ownerId), 'young', 23])
    await pool.query(
      `insert into webhook_deliveries (id, webhook_id, owner_id, event_id, type, subject_id, event_at, body)
       values ($1, $1, $2, $1, 'task.created', $3, now(), 'a body')`,
      [bytes(id), bytes(ownerId), bytes(old)],
    )
    await pool.query(
      `insert into idempotency_keys (day, owner_id, key, request_hash, subject_id, created_at)
       select current_date, $1, 'old ' || n, $1, $1, now() - interval '25 hours' from generate_series(1, 10000) n`,
      [bytes(ownerId)],
    )
    expect(await run('forget-requests')).toBe(10_001)
    expect((await pool.query('select key from idempotency_keys')).rows).toEqual([{ key: 'young' }])
    expect(await run('erase-deliveries')).toBe(1)
    expect((await pool.query('select body from webhook_deliveries')).rows).toEqual([{ body: null }])
    expect(await run('erase-deliveries')).toBe(0)
  })

  it('measure the rates of pairs from the tasks of all owners, at most once an hour [D-http-77]', async () => {
    const workerId = await shop.addWorker()
    for (const ms of [50, 10, 40, 20, 30]) {
      const caller = await shop.addOwner()
      const source = shop.newTask('import/upload')
      await shop.orchestrator.createTask(caller, source)
      await shop.orchestrator.completeUpload(source.id, someFile, { ownerId: caller.ownerId, isLone: true })
      const task = { ...shop.newTask('convert', [source.id]), payload: { output_format: 'webp' } }
      await shop.orchestrator.createTask(caller, task)
      const fence = { taskId: task.id, attempt: 1, workerId }
      const claim = await shop.desk.claim(fence)
      const times = { queueMs: 1, fetchMs: 1, engineMs: ms, storeMs: 1 }
      const outcome = { files: [{ ...someFile, format: 'webp' }], warnings: [], engineMs: ms, times }
      expect(await shop.desk.complete(fence, outcome, claim?.standing)).toBe('written')
    }
    expect(await run('measure-rates')).toBe(1)
    expect(await listPairRates(shop.database.pool)).toEqual([
      { operation: 'convert', from: 'jpg', to: 'webp', completed: 5, failed: 0, medianMs: 30 },
    ])
    expect(await run('measure-rates')).toBe(0)
  })

  it('delete expired entries of the audit log, and no others [D-auth-14]', async () => {
    const { pool } = shop.database
    const { ownerId } = await shop.addOwner()
    const days = (count: number) => new Date(shop.clock.now().getTime() - count * 86_400_000)
    for (const age of [11, 9]) {
      const entry = { userId: null, viaId: null, subjectId: null, detail: {}, address: null, createdAt: days(age) }
      const id = shop.ids.next(days(age))
      await insertAudit(pool, { ...entry, id, ownerId, via: 'host', action: 'plan.changed' })
    }
    expect(await run('forget-audit')).toBe(1)
    expect((await listAudit(pool, { ownerId, limit: 10, offset: 0 })).docs).toMatchObject([{ createdAt: days(9) }])
  })

  it('delete owners of browsers unused for long with all their data, and no others [D-auth-11]', async () => {
    const { pool } = shop.database
    const hours = (count: number) => `now() - interval '${count} hours'`
    /** An owner with a webhook, and a session that was last used this many hours ago. */
    async function addBrowser({ age, usedAgo, isAnonymous = true }: Record<string, number | boolean>) {
      const { ownerId } = await shop.addOwner()
      if (isAnonymous) await insertAnonymousOwner(pool, ownerId)
      await pool.query(`update anonymous_owners set created_at = ${hours(Number(age))} where owner_id = $1`, [
        bytes(ownerId),
      ])
      const id = shop.ids.next()
      const lasting = { idleS: 10_000_000, lastsS: 10_000_000, pending: null, address: '', userAgent: '' }
      await insertSession(pool, { id, userId: ownerId, hash: id.repeat(2), ...lasting })
      await pool.query(`update sessions set last_used_at = ${hours(Number(usedAgo))} where id = $1`, [bytes(id)])
      await pool.query(
        `insert into webhooks (id, owner_id, kind, events, enabled, sealed, created_at, updated_at)
         values ($1, $2, 'own', '{}', true, '', now(), now())`,
        [bytes(id), bytes(ownerId)],
      )
      return ownerId
    }
    const idle = await addBrowser({ age: 100, usedAgo: 49 })
    const kept = [
      await addBrowser({ age: 100, usedAgo: 47 }),
      await addBrowser({ age: 1, usedAgo: 1 }),
      await addBrowser({ age: 100, usedAgo: 49, isAnonymous: false }),
    ]
    const busy = await addBrowser({ age: 100, usedAgo: 49 })
    await shop.orchestrator.createTask({ ownerId: busy, userId: busy }, shop.newTask())
    // Its counter is wrong: it has no task.
    await pool.query('update owners set open_tasks = 1 where id = $1', [bytes(idle)])
    expect(await run('delete-anonymous')).toBe(1)
    const all = [idle, busy, ...kept]
    for (const [table, column] of [
      ['owners', 'id'],
      ['users', 'id'],
      ['sessions', 'user_id'],
      ['webhooks', 'owner_id'],
    ]) {
      const { rows } = await pool.query(`select ${column} as id from ${table}`)
      const left = rows.map(({ id }) => id)
      expect(
        all.filter((id) => !left.includes(id)),
        table,
      ).toEqual([idle])
    }
    expect(await run('delete-anonymous')).toBe(0)
  })

  it('delete expired device codes, and no others [D-auth-17]', async () => {
    const { pool } = shop.database
    const code = { name: 'x', address: '', scopes: [], intervalS: 3 }
    for (const [digits, lastsS] of [
      ['ab', -1],
      ['cd', 600],
    ] as const) {
      const hash = digits.repeat(32)
      await insertDeviceCode(pool, { ...code, deviceHash: hash, userHash: hash, lastsS })
    }
    expect(await run('forget-device-codes')).toBe(1)
    expect(await pollDeviceCode(pool, 'cd'.repeat(32))).toMatchObject({ status: 'pending' })
  })

  it('delete previews whose records have expired, and no others [D-http-81]', async () => {
    const { pool } = shop.database
    const { ownerId } = await shop.addOwner()
    const [taskId, now] = [shop.ids.next(), shop.clock.now()]
    for (const [page, hours] of [
      [1, 25],
      [2, 23],
    ] as const) {
      const createdAt = new Date(now.getTime() - hours * 3_600_000)
      await insertPreview(pool, { taskId, file: 0, page, previewId: shop.ids.next(), ownerId, createdAt })
    }
    expect(await run('forget-previews')).toBe(1)
    expect(await findPreview(pool, { taskId, file: 0, page: 1 })).toBeUndefined()
    expect(await findPreview(pool, { taskId, file: 0, page: 2 })).toBeDefined()
  })

  it('R4: end and erase nothing while the clock is not trusted, and count it', async () => {
    const taskId = shop.ids.next(new Date(shop.clock.now().getTime() - 5 * 3_600_000))
    const key = objectKey({ taskId, attempt: 1, n: 0 })
    await store.put(key, bytesOf('x'), { signal })
    const upload = shop.newTask('import/upload')
    await shop.orchestrator.createTask(await shop.addOwner(), upload)
    bench.clock.isTrusted = false
    const past = shop.clock.now()
    shop.clock.advance(26 * 3_600_000)
    const byTheClock = duties.filter(({ name }) => /^(expire|forget-requests|drop|erase-deliveries)/.test(name))
    expect(await Promise.all(byTheClock.map((duty) => duty.run()))).toEqual(byTheClock.map(() => 0))
    const refused = await bench.metrics.erasuresRefused.get()
    expect(refused.values.map(({ labels }) => labels.duty).sort()).toEqual(byTheClock.map(({ name }) => name).sort())
    expect(refused.values).toHaveLength(6)
    shop.clock.advance(past.getTime() - shop.clock.now().getTime())
    bench.clock.isTrusted = true
    const { rows } = await shop.database.pool.query('select status from tasks where id = $1', [bytes(upload.id)])
    expect(rows).toEqual([{ status: 'processing' }])
    expect(await run('expire-files')).toBe(1)
    expect(await store.open(key, { signal })).toBeUndefined()
  })

  it('remove files within a minute of their four hours, and none before [S-gen-17, S-gen-18, D-state-29, L-life]', async () => {
    const taskId = shop.ids.next(shop.clock.now())
    const key = objectKey({ taskId, attempt: 1, n: 0 })
    await store.put(key, bytesOf('x'), { signal })
    shop.clock.advance(4 * 3_600_000 - 1_000)
    await run('expire-files')
    const kept = await store.open(key, { signal })
    expect(kept).toBeDefined()
    kept?.destroy()
    shop.clock.advance(61_000)
    await run('expire-files')
    expect(await store.open(key, { signal })).toBeUndefined()
  })
})
