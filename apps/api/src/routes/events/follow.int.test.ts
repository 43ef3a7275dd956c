import { randomBytes } from 'node:crypto'
import { EventView, type Job, scopes } from '@lathe/contract'
import { connectFast, createProgressBoard } from '@lathe/queue'
import { createMetrics, silentLog } from '@lathe/runtime'
import { type EventReader, readEvents, testServices } from '@lathe/testing'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeUpload, newUser, type User } from '../../testing/new-user.ts'
import { startApi, type TestApi } from '../../testing/start-api.ts'

const soon = { timeout: 20_000, interval: 20 }
const prefix = `test-${randomBytes(6).toString('hex')}`
const stack = new AsyncDisposableStack()
let api: TestApi
let base: string
let headers: { authorization: string }
let user: User

beforeAll(async () => {
  api = stack.use(await startApi({ env: { REDIS_PREFIX: prefix, CORS_ORIGINS: 'https://app.example' } }))
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  ;({ headers } = await api.createKey())
  user = await userOf(headers)
})
afterAll(() => stack.disposeAsync())

async function userOf(own: { authorization: string }): Promise<User> {
  return newUser({ ...api, createKey: async () => ({ headers: own, key: '', keyId: '', userId: '' }) })
}

const follow = (path: string, more: Record<string, string> = {}, own = headers): Promise<EventReader> =>
  readEvents(`${base}/v1/process/${path}`, { ...own, ...more })

/** A job with two uploads and a conversion of the first. */
async function newJob(): Promise<Job & { tasks: NonNullable<Job['tasks']> }> {
  const tasks = {
    a: { operation: 'import/upload' },
    b: { operation: 'import/upload' },
  }
  const { body } = await user.post<Job>('/v1/process/jobs', { tasks })
  return { ...body, tasks: body.tasks ?? [] }
}

async function endedJob() {
  const job = await newJob()
  for (const task of job.tasks) await completeUpload(api, task)
  return job
}

const types = (reader: EventReader) => reader.events().map(({ type }) => type)
const whole = [
  'job.created',
  'task.created',
  'task.created',
  'task.started',
  'task.started',
  'job.started',
  'task.completed',
  'task.completed',
  'job.completed',
]

describe('the stream of a job', () => {
  it('sends all events of a job that has ended, in order and without a gap, and ends [D-event-14]', async () => {
    const { id } = await endedJob()
    const reader = await follow(`jobs/${id}/events`)
    expect(reader.status).toBe(200)
    expect(reader.headers.get('content-type')).toBe('text/event-stream')
    expect(await reader.ended).toBe(true)
    expect(types(reader)).toEqual(whole)
    expect(reader.seqs()).toEqual(whole.map((_, i) => i + 1))
    for (const { id: seq, event, data } of reader.frames.filter((frame) => frame.data)) {
      expect([seq, event]).toEqual([String(data?.seq), data?.type])
      expect(Value.Check(EventView, data)).toBe(true)
    }
    expect(reader.events().at(-1)?.data).toMatchObject({ job: { id, status: 'completed' } })
  })

  it('sends events as they happen, with the current job, and ends after the last one', async () => {
    const job = await newJob()
    const reader = await follow(`jobs/${job.id}/events`, { accept: 'text/event-stream' })
    await expect.poll(() => types(reader), soon).toEqual(whole.slice(0, 6))
    for (const task of job.tasks) await completeUpload(api, task)
    expect(await reader.ended).toBe(true)
    expect(types(reader)).toEqual(whole)
  })

  it('resumes after Last-Event-ID, which overrides the query parameter, or after the latter [D-event-14]', async () => {
    const { id } = await endedJob()
    const resumed = await follow(`jobs/${id}/events?after=1`, { 'last-event-id': '7' })
    await resumed.ended
    expect(resumed.seqs()).toEqual([8, 9])
    const asked = await follow(`jobs/${id}/events?after=8`)
    await asked.ended
    expect(asked.seqs()).toEqual([9])
  })

  it('answers 204 when everything was sent, so that a browser does not reconnect [D-event-15]', async () => {
    const { id } = await endedJob()
    expect((await follow(`jobs/${id}/events`, { 'last-event-id': '9' })).status).toBe(204)
    expect((await follow(`jobs/${id}/events?after=1000`)).status).toBe(204)
  })

  it('stays open after the job has failed, until the remaining branches have ended [D-event-14]', async () => {
    const job = await newJob()
    const [a, b] = job.tasks
    const reader = await follow(`jobs/${job.id}/events`)
    await user.post(`/v1/process/tasks/${a?.id}/cancel`)
    await expect.poll(() => types(reader), soon).toContain('job.failed')
    if (b) await completeUpload(api, b)
    expect(await reader.ended).toBe(true)
    expect(types(reader).slice(-3)).toEqual(['task.canceled', 'job.failed', 'task.completed'])
  })

  it('sends the deletion of its job, with the receipts, and ends', async () => {
    const job = await newJob()
    const reader = await follow(`jobs/${job.id}/events`)
    await user.remove(`/v1/process/jobs/${job.id}`)
    expect(await reader.ended).toBe(true)
    const last = reader.events().filter(({ type }) => type === 'task.deleted')
    expect(last).toHaveLength(2)
    expect(last[0]?.data).toMatchObject({ task: { status: 'deleted', payload: {} } })
    expect((await follow(`jobs/${job.id}/events`)).status).toBe(404)
  })

  it('is available to the owner only, and for well-formed requests', async () => {
    const { id } = await newJob()
    const { headers: foreign } = await api.createKey()
    expect((await follow(`jobs/${id}/events`, {}, foreign)).status).toBe(404)
    expect((await follow(`jobs/${'0'.repeat(24)}/events`)).status).toBe(404)
    expect((await follow('jobs/nonsense/events')).status).toBe(400)
    expect((await follow(`jobs/${id}/events?after=-1`)).status).toBe(400)
    expect((await follow(`jobs/${id}/events?after=1&after=2`)).status).toBe(400)
    expect((await follow(`jobs/${id}/events`, { 'last-event-id': 'x' })).status).toBe(400)
  })

  it('may be read by pages of configured origins', async () => {
    const { id } = await endedJob()
    const reader = await follow(`jobs/${id}/events`, { origin: 'https://app.example' })
    expect(reader.headers.get('access-control-allow-origin')).toBe('https://app.example')
    await reader.ended
  })

  it('answers HEAD with the headers only', async () => {
    const { id } = await newJob()
    const response = await fetch(`${base}/v1/process/jobs/${id}/events`, { method: 'HEAD', headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  })
})

describe('the stream of a task', () => {
  it('sends only events of the task, with the numbers of its job, and ends with the task [D-event-16]', async () => {
    const job = await newJob()
    const [a, b] = job.tasks
    const reader = await follow(`tasks/${a?.id}/events`)
    if (b) await completeUpload(api, b)
    if (a) await completeUpload(api, a)
    expect(await reader.ended).toBe(true)
    expect(reader.events().map(({ seq, type }) => [seq, type])).toEqual([
      [2, 'task.created'],
      [4, 'task.started'],
      [8, 'task.completed'],
    ])
    expect((await follow(`tasks/${a?.id}/events`, { 'last-event-id': '8' })).status).toBe(204)
  })

  it('numbers the events of a task outside any job by themselves', async () => {
    const task = await user.upload()
    const reader = await follow(`tasks/${task.id}/events`)
    await completeUpload(api, task)
    expect(await reader.ended).toBe(true)
    expect(reader.seqs()).toEqual([1, 2, 3])
  })

  it('sends progress at most once a second, without an id, so that nothing is resumed from it [D-event-13]', async () => {
    const task = await user.upload()
    const reader = await follow(`tasks/${task.id}/events`)
    await expect.poll(reader.seqs, soon).toEqual([1, 2])
    await using board = openBoard()
    const progressing = { id: task.id, jobId: null, ownerId: 'f'.repeat(24) }
    await expect
      .poll(async () => {
        await board.tell(progressing, { percent: 42, secondsLeft: 7 })
        return types(reader)
      }, soon)
      .toContain('task.progress')
    const frame = reader.frames.find(({ event }) => event === 'task.progress')
    expect(frame?.id).toBeUndefined()
    expect(frame?.data).toMatchObject({ seq: 2, data: { task: { progress: { percent: 42, secondsLeft: 7 } } } })
    await completeUpload(api, task)
    expect(await reader.ended).toBe(true)
  })
})

function openBoard() {
  const redis = connectFast(testServices().redisUrl, silentLog)
  const board = createProgressBoard({ redis, prefix, log: silentLog, metrics: createMetrics() })
  return { ...board, [Symbol.asyncDispose]: async () => redis.disconnect() }
}

describe('a stream', () => {
  it('sends everything without Redis, only later [D-event-11]', async () => {
    await using lone = await startApi({ env: { REDIS_URL: 'redis://127.0.0.1:1' } })
    const url = await lone.app.listen({ port: 0, host: '127.0.0.1' })
    const { headers: own } = await lone.createKey()
    const created = await lone.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers: own })
    const reader = await readEvents(`${url}/v1/process/tasks/${created.json().id}/events`, own)
    await expect.poll(reader.seqs, soon).toEqual([1, 2])
    await completeUpload(lone, created.json())
    expect(await reader.ended).toBe(true)
    expect(reader.seqs()).toEqual([1, 2, 3])
  })

  it('sends heartbeats, and ends when the process stops [D-event-18]', async () => {
    await using own = await startApi({ http: { heartbeatMs: 50 } })
    const url = await own.app.listen({ port: 0, host: '127.0.0.1' })
    const { headers: holder } = await own.createKey()
    const created = await own.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers: holder })
    const reader = await readEvents(`${url}/v1/process/tasks/${created.json().id}/events`, holder)
    await expect.poll(() => reader.frames.filter(({ comment }) => comment).length, soon).toBeGreaterThan(2)
    await own.app.close()
    expect(await reader.ended).toBe(true)
  })

  it('ends within 5 seconds of the revocation of its key [D-event-21]', async () => {
    const { headers: own, keyId } = await api.createKey()
    const created = await api.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers: own })
    const path = `tasks/${created.json().id}/events`
    const reader = await follow(path, {}, own)
    await expect.poll(reader.seqs, soon).toEqual([1, 2])
    const start = performance.now()
    await api.revokeKey(keyId)
    expect(await reader.ended).toBe(true)
    // At most 4.5 s, plus the delay of a busy machine.
    expect(performance.now() - start).toBeLessThan(8000)
    expect((await follow(path, {}, own)).status).toBe(401)
  })

  it('ends within 5 seconds once its key may not be used from its address', async () => {
    const { headers: own, keyId } = await api.createKey(scopes)
    const created = await api.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers: own })
    const path = `tasks/${created.json().id}/events`
    const reader = await follow(path, {}, own)
    await expect.poll(reader.seqs, soon).toEqual([1, 2])
    const start = performance.now()
    const payload = { allowedIps: ['192.0.2.0/24'] }
    const key = { method: 'PATCH', url: `/v1/account/keys/${keyId}`, headers: own } as const
    expect((await api.app.inject({ ...key, payload })).statusCode).toBe(200)
    expect(await reader.ended).toBe(true)
    expect(performance.now() - start).toBeLessThan(8000)
    expect((await follow(path, {}, own)).status).toBe(403)
  })

  it('is refused to a key with the maximum number of streams, until one is closed [D-event-20]', async () => {
    await using own = await startApi({ http: { listenersPerKey: 1 } })
    const url = await own.app.listen({ port: 0, host: '127.0.0.1' })
    const { headers: holder } = await own.createKey()
    const created = await own.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers: holder })
    const open = () => readEvents(`${url}/v1/process/tasks/${created.json().id}/events`, holder)
    const first = await open()
    const second = await open()
    expect([first.status, second.status]).toEqual([200, 429])
    expect(second.headers.get('retry-after')).toBe('10')
    first.leave()
    await expect
      .poll(async () => {
        const again = await open()
        again.leave()
        return again.status
      }, soon)
      .toBe(200)
  })

  it('is refused to an owner and to everybody beyond the maximum, whichever keys are used, until one is closed', async () => {
    await using own = await startApi({ http: { listenersPerKey: 10, listenersPerOwner: 2, listenersAtOnce: 3 } })
    const url = await own.app.listen({ port: 0, host: '127.0.0.1' })
    const open = (authorization: string) => readEvents(`${url}/v1/process/events`, { authorization })
    const [first, second, third] = [await own.createKey(), await own.createKey(), await own.createKey()]
    const another = `Bearer ${(await own.addKey(first.userId)).key}`
    const readers = [await open(first.headers.authorization), await open(another)]
    const refused = await open(another)
    expect([...readers, refused].map(({ status }) => status)).toEqual([200, 200, 429])
    readers.push(await open(second.headers.authorization))
    expect([readers.at(-1)?.status, (await open(third.headers.authorization)).status]).toEqual([200, 429])
    readers[0]?.leave()
    await expect
      .poll(async () => {
        const again = await open(third.headers.authorization)
        again.leave()
        return again.status
      }, soon)
      .toBe(200)
    for (const reader of readers) reader.leave()
  })
})
