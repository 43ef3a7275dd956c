import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Importer } from '@lathe/connectors'
import { bytes, type Fence, findTaskById } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { createWorkshop, type Workshop } from '@lathe/orchestrator/testing'
import { silentLog } from '@lathe/runtime'
import { createStore, type ObjectStore } from '@lathe/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTask } from './run-task.ts'
import type { Services } from './services.ts'
import { createPace, type TransferSlot } from './transfer-gate.ts'

const { signal } = new AbortController()
const ended = new Error('the source was closed')
let shop: Workshop
let store: ObjectStore & AsyncDisposable
let dir: string
beforeAll(async () => {
  shop = await createWorkshop()
  dir = await mkdtemp(join(tmpdir(), 'run-task-'))
  store = await createStore({ kind: 'disk', dir })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await shop[Symbol.asyncDispose]()
  await rm(dir, { recursive: true })
})

/** Claims a task and runs it as a worker would. The importer returns what `content` resolves to. */
async function runImporting(fence: Fence, content: Promise<string>, transfer?: TransferSlot): Promise<void> {
  const claim = await shop.desk.claim(fence)
  if (!claim) throw new Error('the task was not claimed')
  const importer: Importer = {
    operation: 'import/url',
    async run(_, context) {
      if (context.signal.aborted) throw ended
      const text = await Promise.race([content, once(context.signal, 'abort').then(() => Promise.reject(ended))])
      await context.save(
        'a.txt',
        (async function* () {
          yield Buffer.from(text)
        })(),
      )
      return undefined
    },
  }
  const services = {
    desk: shop.desk,
    store,
    work: { maxFileBytes: 1000 },
    importers: new Map([['import/url', importer]]),
    metrics: shop.context.metrics,
  } as unknown as Services
  await runTask(services, { claim, signal, log: silentLog, progress: () => {}, ...(transfer && { transfer }) })
}

async function committedFile(taskId: ObjectId) {
  const file = (await findTaskById(shop.database.pool, taskId))?.files[0]
  if (!file) throw new Error('no file was committed')
  const hash = createHash('sha256')
  for await (const chunk of (await store.open(file.key, { signal })) ?? []) hash.update(chunk)
  return { recorded: file.sha256, stored: hash.digest('hex') }
}

describe('two runs of one attempt', () => {
  it.each([
    ['another worker', 2],
    ['the same worker', 1],
  ])('R14: keep their bytes apart when a failover forgets a claim and %s claims it again', async (_, workers) => {
    const caller = await shop.addOwner()
    const first = await shop.addWorker()
    const second = workers === 2 ? await shop.addWorker() : first
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    const late = Promise.withResolvers<string>()
    const running = runImporting({ taskId: task.id, attempt: 1, workerId: first }, late.promise)
    await expect.poll(async () => (await findTaskById(shop.database.pool, task.id))?.status).toBe('processing')
    await shop.database.pool.query('update tasks set worker_id = null where id = $1', [bytes(task.id)])
    await runImporting({ taskId: task.id, attempt: 1, workerId: second }, Promise.resolve('committed'))
    late.resolve('too late')
    await running
    const { recorded, stored } = await committedFile(task.id)
    expect(stored).toBe(recorded)
    expect(recorded).toBe(createHash('sha256').update('committed').digest('hex'))
  })
})

describe('a transfer that was ended', () => {
  /** Runs an import whose transfer is ended while it waits for its source. */
  async function runEnded(endedBy: 'gave_way' | 'too_slow', attempt = 1) {
    const caller = await shop.addOwner()
    const workerId = await shop.addWorker()
    const task = shop.newTask()
    await shop.orchestrator.createTask(caller, task)
    await shop.database.pool.query('update tasks set attempt = $2 where id = $1', [bytes(task.id), attempt])
    const ending = new AbortController()
    const transfer = { pace: createPace(), signal: ending.signal, endedBy, [Symbol.dispose]() {} }
    const running = runImporting({ taskId: task.id, attempt, workerId }, new Promise(() => {}), transfer)
    ending.abort()
    await running
    return findTaskById(shop.database.pool, task.id)
  }

  it('S2: because others waited is queued again, and fails when that happened several times', async () => {
    expect(await runEnded('gave_way')).toMatchObject({ status: 'processing', attempt: 2, reason: null })
    const end = await runEnded('gave_way', 5)
    expect(end).toMatchObject({ status: 'failed', reason: 'limit_exceeded' })
  })

  it('S2: because it was too slow fails at once, and says what is too slow', async () => {
    const end = await runEnded('too_slow')
    expect(end).toMatchObject({ status: 'failed', reason: 'limit_exceeded' })
    expect(JSON.stringify(end)).toContain('at least 64 KiB per second')
  })
})
