import { createHash } from 'node:crypto'
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

const { signal } = new AbortController()
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
async function runImporting(fence: Fence, content: Promise<string>): Promise<void> {
  const claim = await shop.desk.claim(fence)
  if (!claim) throw new Error('the task was not claimed')
  const importer: Importer = {
    operation: 'import/url',
    async run(_, context) {
      const text = await content
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
  await runTask(services, { claim, signal, log: silentLog, progress: () => {} })
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
