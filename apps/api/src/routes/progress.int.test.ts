import { randomBytes } from 'node:crypto'
import type { Job, Task } from '@lathe/contract'
import { bytes } from '@lathe/database'
import { connectFast, createProgressBoard, type ProgressBoard } from '@lathe/queue'
import { createMetrics, silentLog } from '@lathe/runtime'
import { testServices, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../testing/start-api.ts'

const prefix = `test-${randomBytes(6).toString('hex')}`
const stack = new AsyncDisposableStack()
let api: TestApi
let worker: ProgressBoard
let headers: { authorization: string }

beforeAll(async () => {
  api = stack.use(await startApi({ env: { REDIS_PREFIX: prefix } }))
  ;({ headers } = await api.createKey())
  const redis = stack.adopt(connectFast(testServices().redisUrl, silentLog), (one) => one.disconnect())
  worker = createProgressBoard({ redis, prefix, log: silentLog, metrics: createMetrics() })
  await waitFor(() => redis.status === 'ready', { withinMs: 10_000 })
})
afterAll(() => stack.disposeAsync())

async function call<T>(method: 'GET' | 'POST', url: string, payload?: object, more: Record<string, string> = {}) {
  const answer = await api.app.inject({ method, url, ...(payload && { payload }), headers: { ...headers, ...more } })
  return answer.json<T>()
}

/** A job with one import that a worker has just claimed. */
async function runningJob(): Promise<{ jobId: string; taskId: string }> {
  const tasks = { photo: { operation: 'import/url', url: 'https://a.example/x.jpg' } }
  const { id, tasks: [task] = [] } = await call<Job>('POST', '/v1/process/jobs', { tasks })
  await api.services.database.pool.query(`update tasks set status = 'processing' where id = $1`, [
    bytes(task?.id ?? ''),
  ])
  return { jobId: id, taskId: task?.id ?? '' }
}

const progress = { percent: 42, secondsLeft: 7 }

describe('the progress of a running task', () => {
  it('is shown with the task, in lists, and in its job [D-shape-16]', async () => {
    const { jobId, taskId } = await runningJob()
    expect((await call<Task>('GET', `/v1/process/tasks/${taskId}`)).progress).toBeNull()
    await worker.tell({ id: taskId, jobId: null, ownerId: '' }, progress)
    expect((await call<Task>('GET', `/v1/process/tasks/${taskId}`)).progress).toEqual(progress)
    const list = await call<{ docs: Task[] }>('GET', '/v1/process/tasks')
    expect(list.docs.find(({ id }) => id === taskId)?.progress).toEqual(progress)
    expect((await call<Job>('GET', `/v1/process/jobs/${jobId}`)).tasks?.[0]?.progress).toEqual(progress)
    const jobs = await call<{ docs: Job[] }>('GET', '/v1/process/jobs?include=tasks')
    expect(jobs.docs.find(({ id }) => id === jobId)?.tasks?.[0]?.progress).toEqual(progress)
  })

  it('is in a response to Prefer: wait whose time was up [D-shape-16]', async () => {
    const { jobId, taskId } = await runningJob()
    await worker.tell({ id: taskId, jobId: null, ownerId: '' }, progress)
    const wait = { prefer: 'wait=1' }
    expect((await call<Task>('GET', `/v1/process/tasks/${taskId}`, undefined, wait)).progress).toEqual(progress)
    expect((await call<Job>('GET', `/v1/process/jobs/${jobId}`, undefined, wait)).tasks?.[0]?.progress).toEqual(
      progress,
    )
  })

  it('is null once the task has ended, whatever was reported before', async () => {
    const { taskId } = await runningJob()
    await worker.tell({ id: taskId, jobId: null, ownerId: '' }, progress)
    await call('POST', `/v1/process/tasks/${taskId}/cancel`)
    expect(await call<Task>('GET', `/v1/process/tasks/${taskId}`)).toMatchObject({ status: 'canceled', progress: null })
  })

  it('is null while Redis is down, and the response is sent all the same [D-shape-17]', async () => {
    await using lone = await startApi({ env: { REDIS_URL: 'redis://127.0.0.1:1' } })
    const { headers: own } = await lone.createKey()
    const payload = { url: 'https://a.example/x.jpg' }
    const created = await lone.app.inject({ method: 'POST', url: '/v1/process/import/url', payload, headers: own })
    const { id } = created.json<Task>()
    await lone.services.database.pool.query(`update tasks set status = 'processing' where id = $1`, [bytes(id)])
    const shown = await lone.app.inject({ method: 'GET', url: `/v1/process/tasks/${id}`, headers: own })
    expect(shown.statusCode).toBe(200)
    expect(shown.json<Task>()).toMatchObject({ status: 'processing', progress: null })
  })
})
