import { EventView, type Job } from '@lathe/contract'
import { type EventReader, readEvents } from '@lathe/testing'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { completeUpload, newUser, type User } from '../../testing/new-user.ts'
import { startApi, type TestApi } from '../../testing/start-api.ts'

const soon = { timeout: 20_000, interval: 20 }
const stack = new AsyncDisposableStack()
let api: TestApi
let base: string
let key: Awaited<ReturnType<TestApi['createKey']>>
let user: User

beforeAll(async () => {
  api = stack.use(await startApi({ http: { heartbeatMs: 200 } }))
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => stack.disposeAsync())
const readers: EventReader[] = []
beforeEach(async () => {
  for (const reader of readers.splice(0)) reader.leave()
  key = await api.createKey()
  user = await newUser({ ...api, createKey: async () => key })
})

async function follow(query = '', more: Record<string, string> = {}): Promise<EventReader> {
  const reader = await readEvents(`${base}/v1/process/events${query}`, { ...key.headers, ...more })
  readers.push(reader)
  return reader
}

async function newJob(): Promise<Job> {
  return (await user.post<Job>('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })).body
}

const idsOf = (reader: EventReader) => new Set(reader.events().map(({ id }) => id))
const markOf = (reader: EventReader) => reader.frames.findLast(({ id }) => id !== undefined)?.id ?? ''

describe('the stream of an account', () => {
  it('sends all new events of jobs and tasks, each job in order and without a gap [D-event-55]', async () => {
    const before = await newJob()
    const reader = await follow()
    expect([reader.status, reader.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    await expect.poll(() => reader.frames.length, soon).toBeGreaterThan(0)
    const [job, lone] = [await newJob(), await user.upload()]
    await completeUpload(api, { ...lone, id: job.tasks?.[0]?.id ?? '' })
    const ofJob = () => reader.events().filter(({ data }) => JSON.stringify(data).includes(job.id))
    await expect.poll(() => ofJob().map(({ seq }) => seq), soon).toEqual([1, 2, 3, 4, 5, 6])
    await expect
      .poll(() => reader.events().filter(({ data }) => JSON.stringify(data).includes(lone.id)).length, soon)
      .toBe(2)
    expect(reader.events().some(({ data }) => JSON.stringify(data).includes(before.id))).toBe(false)
    for (const event of reader.events()) expect(Value.Check(EventView, event)).toBe(true)
  })

  it('sends nothing to other accounts [D-event-55]', async () => {
    const reader = await follow()
    const other = await newUser(api)
    await other.upload()
    await user.upload()
    await expect.poll(() => reader.events().length, soon).toBeGreaterThanOrEqual(2)
    expect(new Set(reader.events().map(({ data }) => ('task' in data ? data.task.user : '')))).toEqual(
      new Set([key.userId]),
    )
  })

  it('resumes after a lost connection by Last-Event-ID, and misses nothing [D-event-56]', async () => {
    const first = await follow()
    await expect.poll(() => first.frames.length, soon).toBeGreaterThan(0)
    await newJob()
    await expect.poll(() => first.events().length, soon).toBe(4)
    const mark = markOf(first)
    first.leave()
    const missed = await newJob()
    const second = await follow('', { 'last-event-id': mark })
    await expect
      .poll(() => second.events().filter(({ data }) => JSON.stringify(data).includes(missed.id)).length, soon)
      .toBe(4)
    const all = idsOf(first).union(idsOf(second))
    expect(all.size).toBe(8)
  })

  it('advances the id only when everything before it was sent [D-event-56]', async () => {
    const reader = await follow()
    await expect.poll(() => reader.frames.filter(({ id }) => id !== undefined).length, soon).toBeGreaterThan(0)
    const first = markOf(reader)
    expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(60_000)
    await newJob()
    await expect.poll(() => reader.events().length, soon).toBe(4)
    for (const { id, data } of reader.frames) {
      if (id !== undefined && data) expect(Date.parse(id)).toBeLessThanOrEqual(Date.parse(data.createdAt) + 1_000)
    }
  })

  it('can start at a time in the past [D-event-56]', async () => {
    const job = await newJob()
    const reader = await follow(`?since=${new Date(Date.now() - 5_000).toISOString()}`)
    await expect.poll(() => reader.events().length, soon).toBe(4)
    expect(JSON.stringify(reader.events()[0]?.data)).toContain(job.id)
  })

  it.each(['yesterday', '7', '2026-13-01T00:00:00Z'])('is refused with the time %s', async (moment) => {
    expect((await follow(`?since=${moment}`)).status).toBe(400)
    expect((await follow('', { 'last-event-id': moment })).status).toBe(400)
  })

  it('ends when its key is revoked, and is refused to a key that may not read', async () => {
    const reader = await follow()
    await api.revokeKey(key.keyId)
    expect(await reader.ended).toBe(true)
    const { headers } = await api.createKey(['task.write'])
    expect((await readEvents(`${base}/v1/process/events`, headers)).status).toBe(403)
  })

  it('counts toward the connections of its key until it is closed', async () => {
    await using few = await startApi({ http: { listenersPerKey: 1 } })
    const url = `${await few.app.listen({ port: 0, host: '127.0.0.1' })}/v1/process/events`
    const { headers } = await few.createKey()
    const first = await readEvents(url, headers)
    expect((await readEvents(url, headers)).status).toBe(429)
    first.leave()
    await expect.poll(async () => (await readEvents(url, headers)).status, soon).toBe(200)
  })
})
