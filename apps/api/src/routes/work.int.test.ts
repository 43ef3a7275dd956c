import { readdir } from 'node:fs/promises'
import type { ErrorBody, Job, Task } from '@lathe/contract'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../testing/start-api.ts'

let api: TestApi
let headers: { authorization: string }
let userId: string

beforeAll(async () => {
  api = await startApi()
  ;({ headers, userId } = await api.createKey())
})

afterAll(() => api[Symbol.asyncDispose]())

async function call<T = Task>(
  options: InjectOptions,
): Promise<{ status: number; body: T; headers: Record<string, unknown> }> {
  const response = await api.app.inject({ ...options, headers: { ...headers, ...options.headers } })
  const body = response.body === '' ? undefined : response.json()
  return { status: response.statusCode, body, headers: response.headers }
}

const post = <T = Task>(url: string, payload: object = {}, more: Record<string, string> = {}) =>
  call<T>({ method: 'POST', url, payload, headers: more })

const dataUri = `data:text/plain;base64,${Buffer.from('hello').toString('base64')}`
const importText = { file: dataUri, filename: 'hello.txt' }

async function countObjects(): Promise<number> {
  const entries = await readdir(api.storageDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

describe('creating', () => {
  it('a task answers 201 with a whole task [S-gen-13, S-task-05, S-task-09, S-http-08, S-imp-02, D-http-35]', async () => {
    const { status, body } = await post('/v1/process/import/url', { url: 'https://me:secret@a.example/x.jpg' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'import/url',
      operation: 'import/url',
      status: 'created',
      dependsOn: [],
      job: null,
      user: userId,
      result: {},
      startedAt: null,
      endedAt: null,
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it('a base64 import keeps its content in storage and empties it in the payload [D-shape-05]', async () => {
    const before = await countObjects()
    const { status, body } = await post('/v1/process/import/base64', importText)
    expect(status).toBe(201)
    expect(JSON.stringify(body.payload)).not.toContain('aGVsbG8')
    expect(await countObjects()).toBe(before + 1)
  })

  it('a refused base64 import leaves nothing in storage', async () => {
    const before = await countObjects()
    const tasks = {
      a: { operation: 'import/base64', ...importText },
      b: { operation: 'convert', input: ['a', 'f'.repeat(24)], output_format: 'pdf' },
    }
    expect((await post('/v1/process/jobs', { tasks })).status).toBe(400)
    expect(await countObjects()).toBe(before)
  })

  it('a task chained by id depends on the named task [S-gen-11, S-task-07]', async () => {
    const { body: source } = await post('/v1/process/import/upload')
    const { status, body } = await post('/v1/process/convert', { input: source.id, output_format: 'webp' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ operation: 'convert', dependsOn: [source.id], payload: { output_format: 'webp' } })
  })

  it('a task with an unknown or another user’s input is refused with 400 [D-http-33]', async () => {
    const other = await api.createKey()
    const { body: foreign } = await post('/v1/process/import/upload', {}, other.headers)
    for (const input of ['f'.repeat(24), foreign.id]) {
      const { status, body } = await post<ErrorBody>('/v1/process/convert', { input, output_format: 'webp' })
      expect(status).toBe(400)
      expect(body.errors?.[0]?.path).toContain('input')
    }
  })

  it('a job answers 201 with its tasks in the order of the request [S-http-08, S-jobs-06, S-jobs-07, D-shape-08]', async () => {
    const tasks = {
      'take-in': { operation: 'import/upload' },
      turn: { operation: 'convert', input: 'take-in', output_format: 'webp' },
      out: { operation: 'export/url', input: ['turn'] },
    }
    const { status, body } = await post<Job>('/v1/process/jobs', { tag: 'mine', tasks })
    expect(status).toBe(201)
    expect(body).toMatchObject({ tag: 'mine', status: 'processing' })
    expect(body.tasks?.map(({ name }) => name)).toEqual(['take-in', 'turn', 'out'])
    expect(body.tasks?.[1]?.dependsOn).toEqual([body.tasks?.[0]?.id])
    expect(body.tasks?.every(({ job }) => job === body.id)).toBe(true)
  })
})

describe('reading', () => {
  it('shows a task with its job when asked, and another user’s not at all [S-tasks-09, S-tasks-11, D-http-32]', async () => {
    const { body: job } = await post<Job>('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    const id = job.tasks?.[0]?.id
    expect((await call({ url: `/v1/process/tasks/${id}` })).body.jobDetails).toBeUndefined()
    const shown = await call({ url: `/v1/process/tasks/${id}?include=payload,job` })
    expect(shown.body).toMatchObject({ job: job.id, jobDetails: { id: job.id, status: 'processing' } })
    const other = await api.createKey()
    for (const url of [`/v1/process/tasks/${id}`, `/v1/process/jobs/${job.id}`]) {
      expect((await call({ url, headers: other.headers })).status).toBe(404)
      expect((await call({ method: 'DELETE', url, headers: other.headers })).status).toBe(404)
    }
    expect((await call({ method: 'POST', url: `/v1/process/tasks/${id}/cancel`, headers: other.headers })).status).toBe(
      404,
    )
  })

  it('lists newest first, in pages, only the caller’s own [S-page-02, S-tasks-01, S-tasks-02, S-tasks-08, D-http-36]', async () => {
    const own = await api.createKey()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.unshift((await post('/v1/process/import/upload', {}, own.headers)).body.id)
    const list = async (query: string) =>
      (await call<{ docs: Task[] }>({ url: `/v1/process/tasks?${query}`, headers: own.headers })).body
    expect((await list('per_page=2')).docs.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(await list('per_page=2&page=2')).toMatchObject({
      totalDocs: 3,
      totalPages: 2,
      page: 2,
      hasNextPage: false,
      prevPage: 1,
    })
    expect((await list('page=9')).docs).toEqual([])
    expect((await list('operation=unknown')).docs).toEqual([])
    expect((await list(`job=${'f'.repeat(24)}`)).docs).toEqual([])
    for (const query of ['per_page=0', 'per_page=201', 'page=0', 'status=odd', 'job=xyz']) {
      expect((await call({ url: `/v1/process/tasks?${query}`, headers: own.headers })).status, query).toBe(400)
    }
  })

  it('lists jobs by tag, with their tasks only when asked [S-job-06, S-jobs-01, S-jobs-03]', async () => {
    await post('/v1/process/jobs', { tag: 'list-me', tasks: { a: { operation: 'import/upload' } } })
    const list = async (query: string) =>
      (await call<{ docs: Job[] }>({ url: `/v1/process/jobs?tag=list-me${query}` })).body.docs
    expect(await list('')).toEqual([expect.not.objectContaining({ tasks: expect.anything() })])
    expect((await list('&include=tasks'))[0]?.tasks).toHaveLength(1)
  })
})

describe('canceling and deleting', () => {
  it('cancels an open task, answers the same again, and fails its dependents [S-state-03, S-state-04, S-state-05, S-tasks-18, D-state-19]', async () => {
    const { body: source } = await post('/v1/process/import/upload')
    const { body: child } = await post('/v1/process/convert', { input: source.id, output_format: 'webp' })
    const url = `/v1/process/tasks/${source.id}/cancel`
    expect(await post(url)).toMatchObject({ status: 200, body: { id: source.id, status: 'canceled' } })
    expect(await post(url)).toMatchObject({ status: 200, body: { status: 'canceled' } })
    const failed = (await call({ url: `/v1/process/tasks/${child.id}` })).body
    expect(failed).toMatchObject({
      status: 'failed',
      result: { errorCode: 'processing_failed', reason: 'input_canceled' },
    })
    expect(await post(`/v1/process/tasks/${child.id}/cancel`)).toMatchObject({
      status: 400,
      body: { errorCode: 'task_not_cancelable' },
    })
    expect((await post(url, { now: true })).status).toBe(400)
  })

  it('cancels without a body, with an empty one and with {}, and refuses any other [S-tasks-16]', async () => {
    const cancel = async (payload: string | undefined, type: string | undefined) => {
      const { body: task } = await post('/v1/process/import/upload')
      const response = await api.app.inject({
        method: 'POST',
        url: `/v1/process/tasks/${task.id}/cancel`,
        headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
        ...(payload !== undefined && { payload }),
      })
      return [response.statusCode, response.json().status]
    }
    expect(await cancel(undefined, undefined)).toEqual([200, 'canceled'])
    expect(await cancel('', 'application/x-www-form-urlencoded')).toEqual([200, 'canceled'])
    expect(await cancel('{}', 'application/json')).toEqual([200, 'canceled'])
    expect(await cancel('{"now":true}', 'application/json')).toEqual([400, 400])
    expect(await cancel('now=true', 'application/x-www-form-urlencoded')).toEqual([400, 400])
  })

  it('deletes a task with 200 and no body, and keeps only its receipt [S-state-08, S-state-09, S-tasks-13, S-tasks-14, D-state-23, D-state-24]', async () => {
    const { body: task } = await post('/v1/process/import/upload')
    const url = `/v1/process/tasks/${task.id}`
    expect(await call({ method: 'DELETE', url })).toMatchObject({ status: 200, body: undefined })
    expect((await call({ url })).status).toBe(404)
    expect((await call({ method: 'DELETE', url })).status).toBe(404)
    const { body } = await call<{ docs: Task[] }>({ url: '/v1/process/tasks?status=deleted' })
    expect(body.docs.find(({ id }) => id === task.id)).toMatchObject({ status: 'deleted', payload: {} })
  })

  it('deletes a job with all its tasks and files [S-state-13, S-jobs-19, S-jobs-20, D-state-27]', async () => {
    const tasks = { a: { operation: 'import/base64', ...importText } }
    const objects = await countObjects()
    const { body: job } = await post<Job>('/v1/process/jobs', { tasks })
    const url = `/v1/process/jobs/${job.id}`
    expect(await call({ method: 'DELETE', url })).toMatchObject({ status: 200, body: undefined })
    expect((await call({ url })).status).toBe(404)
    expect((await call({ url: `/v1/process/tasks/${job.tasks?.[0]?.id}` })).status).toBe(404)
    expect(await countObjects()).toBe(objects)
  })
})

describe('Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  it('replays the answer of the first request, whatever the order of its fields [D-http-55]', async () => {
    const body = { url: 'https://a.example/x.jpg', filename: 'y.jpg' }
    const first = await post('/v1/process/import/url', body, key('one'))
    const second = await post('/v1/process/import/url', { filename: 'y.jpg', url: body.url }, key('one'))
    expect(second).toMatchObject({ status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } })
    expect(first.headers['idempotency-replayed']).toBeUndefined()
  })

  it('refuses another request under the same key with 409 [S-err-07, D-http-56]', async () => {
    await post('/v1/process/import/upload', {}, key('two'))
    const other = await post<ErrorBody>('/v1/process/import/url', { url: 'https://a.example/' }, key('two'))
    expect(other).toMatchObject({ status: 409, body: { errorCode: 'idempotency_conflict' } })
  })

  it('belongs to its owner', async () => {
    const other = await api.createKey()
    const mine = await post('/v1/process/import/upload', {}, key('three'))
    const theirs = await post('/v1/process/import/upload', {}, { ...key('three'), ...other.headers })
    expect(theirs.body.id).not.toBe(mine.body.id)
  })

  it('creates one job for many simultaneous same requests, and keeps staged content once', async () => {
    const before = await countObjects()
    const tasks = { a: { operation: 'import/base64', ...importText } }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post<Job>('/v1/process/jobs', { tasks }, key('four'))),
    )
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await countObjects()).toBe(before + 1)
  })

  it('answers the present state, honours Prefer: wait, and is 410 once the task was deleted [D-http-55]', async () => {
    const first = await post('/v1/process/import/upload', {}, key('six'))
    const { id } = first.body
    await post(`/v1/process/tasks/${id}/cancel`)
    const second = await post('/v1/process/import/upload', {}, { ...key('six'), prefer: 'wait=5' })
    expect(second).toMatchObject({ status: 201, body: { id, status: 'canceled' } })
    expect(second.headers).toMatchObject({ 'idempotency-replayed': 'true', 'preference-applied': 'wait=5' })
    await call({ method: 'DELETE', url: `/v1/process/tasks/${id}` })
    const third = await post<ErrorBody>('/v1/process/import/upload', {}, key('six'))
    expect(third).toMatchObject({ status: 410, body: { errorCode: 'gone' } })
  })

  it('works for cancel, and is refused when it is malformed [D-http-54]', async () => {
    const { body: task } = await post('/v1/process/import/upload')
    const url = `/v1/process/tasks/${task.id}/cancel`
    expect((await post(url, {}, key('five'))).body.status).toBe('canceled')
    expect((await post(url, {}, key('five'))).headers['idempotency-replayed']).toBe('true')
    expect((await post(url, {}, key('x'.repeat(300)))).status).toBe(400)
  })
})

describe('Prefer: wait', () => {
  const wait = (seconds: number) => ({ prefer: `wait=${seconds}` })

  it('holds the answer until the task has ended [D-http-58]', async () => {
    const { body: task } = await post('/v1/process/import/upload')
    const held = call({ url: `/v1/process/tasks/${task.id}`, headers: wait(30) })
    const start = performance.now()
    await post(`/v1/process/tasks/${task.id}/cancel`)
    const answer = await held
    expect(answer.body.status).toBe('canceled')
    expect(answer.headers['preference-applied']).toBe('wait=30')
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('returns the current state when the time is up, on create too [D-http-58]', async () => {
    const created = await post('/v1/process/import/upload', {}, wait(1))
    expect(created).toMatchObject({
      status: 201,
      body: { status: 'processing' },
      headers: { 'preference-applied': 'wait=1' },
    })
    const job = await post<Job>('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } }, wait(0))
    expect(job).toMatchObject({ status: 201, body: { status: 'processing' } })
  })

  it('answers at once if the task has ended', async () => {
    const { body: source } = await post('/v1/process/import/upload')
    await post(`/v1/process/tasks/${source.id}/cancel`)
    const start = performance.now()
    const { body } = await post('/v1/process/convert', { input: source.id, output_format: 'webp' }, wait(30))
    expect(body.status).toBe('failed')
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('is limited to 60 seconds [D-http-59]', async () => {
    const { body: source } = await post('/v1/process/import/upload')
    await post(`/v1/process/tasks/${source.id}/cancel`)
    const { headers: got } = await call({ url: `/v1/process/tasks/${source.id}`, headers: wait(3600) })
    expect(got['preference-applied']).toBe('wait=60')
  })
})

describe('queries', () => {
  it('need no key and answer the formats of an operation [S-fmt-01, S-query-01, S-query-03, D-op-48]', async () => {
    const response = await api.app.inject('/v1/query/formats/convert?input_format=JPG')
    expect(response.statusCode).toBe(200)
    expect(response.json().formats).toContainEqual(expect.objectContaining({ ext: 'pdf' }))
    expect((await api.app.inject('/v1/query/formats/convert?input_format=jpg&output_format=*')).statusCode).toBe(400)
  })

  it('answer the options of a pair [S-gen-15, S-query-13]', async () => {
    const response = await api.app.inject('/v1/query/options/convert?input_format=jpg&output_format=pdf')
    expect(response.json()).toMatchObject({ sourceExt: 'jpg', targetExt: 'pdf', operation: 'convert' })
    expect((await api.app.inject('/v1/query/options/convert?input_format=jpg')).statusCode).toBe(400)
  })
})
