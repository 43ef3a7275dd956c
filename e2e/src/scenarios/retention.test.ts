import { readdir } from 'node:fs/promises'
import type { Job, Task } from '@lathe/contract'
import { ensurePartitions } from '@lathe/database'
import { type Stack, startStack, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { completed, importTask, stack as shared } from '../scenario.ts'

let stack: Stack
let key: string
let now: Client
let job: Job
let link: Task

const hours = (h: number, minutes = 0) => h * 3600 + minutes * 60

// A store on disk: a clock four hours ahead would make every signed request to S3 invalid.
beforeAll(async () => {
  stack = await startStack({ storage: 'disk', schedulers: 0 })
  key = (await stack.createKey()).key
  now = clientOf(stack.url)
  const tasks = { photo: importTask('photo-40k.jpg'), link: { operation: 'export/url', input: ['photo'] } }
  job = await now.runJob(tasks)
  link = completed(await now.task(job.tasks?.at(-1)?.id ?? ''))
})
afterAll(() => stack[Symbol.asyncDispose]())

const clientOf = (url: string) => createClient({ url, key, recordFile: shared.recordFile })

async function countStored(): Promise<number> {
  try {
    const entries = await readdir(stack.storageEnv.STORAGE_DIR ?? '', { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).length
  } catch (error) {
    // A folder that is erased meanwhile is missed: then they are counted again.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return countStored()
    throw error
  }
}

async function at(seconds: number): Promise<Client> {
  return clientOf((await stack.addApi({ clockOffset: seconds })).url)
}

describe('retention', () => {
  it('keeps files up to 4 hours', async () => {
    const later = await at(hours(3, 58))
    expect((await later.download(link.result.url)).length).toBe(38_978)
    expect((await later.task(link.id)).result.url).toBeDefined()
  })

  it('ends links and hides them when 4 hours are over, while the record stays [S-gen-17, L-life]', async () => {
    const later = await at(hours(4, 2))
    expect((await later.withKey(undefined).refused('GET', link.result.url ?? '')).status).toBe(404)
    const shown = await later.task(link.id)
    expect(shown).toMatchObject({ status: 'completed', result: { files: [{ filename: 'photo-40k.jpg' }] } })
    expect(shown.result.url).toBeUndefined()
    expect(shown.result.files?.[0]?.url).toBeUndefined()
    expect((await later.job(job.id)).status).toBe('completed')
  })

  it('accepts a task whose input has expired, which then fails with input_expired', async () => {
    const later = await at(hours(4, 2))
    // PostgreSQL decides in the claim, whatever a worker's clock says.
    const [id] = link.dependsOn
    await stack.database.pool.query(`update files set expires_at = now() where task_id = decode($1, 'hex')`, [id])
    const task = await later.create('convert', { input: link.dependsOn[0], output_format: 'png' })
    expect(await later.endedTask(task.id)).toMatchObject({
      status: 'failed',
      result: { errorCode: 'processing_failed', reason: 'input_expired' },
    })
  })

  it('erases the files from storage, and ends what is still open: uploads that never came fail with upload_timeout [S-err-12]', async () => {
    // Nothing is erased by a clock that is wrong, so these were made by an api that lives four hours ago.
    const agoS = hours(4, 2)
    await ensurePartitions(stack.database.pool, new Date(Date.now() - agoS * 1000))
    const before = await at(-agoS)
    const young = await countStored()
    await before.runJob({ photo: importTask('photo-40k.jpg') })
    const form = await before.create('import/upload')
    expect(await countStored()).toBeGreaterThan(young)
    const scheduler = await stack.addScheduler()
    const isErased = async () => (await countStored()) === young
    await waitFor(isErased, { withinMs: 45_000, everyMs: 100, what: 'a store without old files' })
    const failed = async () => (await now.task(form.id)).status === 'failed'
    await waitFor(failed, { withinMs: 15_000, everyMs: 200, what: 'the end of the upload' })
    expect((await now.task(form.id)).result.errorCode).toBe('upload_timeout')
    await scheduler.stop('SIGTERM')
  })

  it('removes records of tasks and jobs when 24 hours are over [S-gen-19]', async () => {
    const before = await at(hours(23, 58))
    expect((await before.task(link.id)).id).toBe(link.id)
    const later = await at(hours(24, 2))
    expect((await later.refused('GET', `/v1/process/tasks/${link.id}`)).status).toBe(404)
    expect((await later.refused('GET', `/v1/process/jobs/${job.id}`)).status).toBe(404)
    expect((await later.tasks()).docs.map(({ id }) => id)).not.toContain(link.id)
    expect((await later.jobs()).totalDocs).toBe(0)
  })
})
