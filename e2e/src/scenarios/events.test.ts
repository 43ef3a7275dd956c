import type { Event, Job } from '@lathe/contract'
import { type EventReader, readEvents, waitFor } from '@lathe/testing'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { importTask, newKey, revokeKey, stack } from '../scenario.ts'

const soon = { timeout: 60_000, interval: 50 }
const sockets: Socket[] = []
let key: string
let api: Client
beforeAll(async () => {
  ;({ key } = await newKey({ slots: 8 }))
  api = createClient({ url: stack.url, key, recordFile: stack.recordFile })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})

const tasks = {
  photo: importTask('photo-40k.jpg'),
  small: { operation: 'convert', input: 'photo', output_format: 'webp' },
}
const follow = (path: string, own = key): Promise<EventReader> =>
  readEvents(`${stack.url}/v1/process/${path}/events`, { authorization: `Bearer ${own}` })

const story = ['job.created', 'task.created', 'task.created', 'job.started']

function expectWhole(events: readonly Event[], job: Job): void {
  const kept = events.filter(({ type }) => type !== 'task.progress')
  expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, i) => i + 1))
  expect(kept.slice(0, 4).map(({ type }) => type)).toEqual(story)
  expect(kept.at(-1)).toMatchObject({ type: 'job.completed', data: { job: { id: job.id, status: 'completed' } } })
  expect(kept.filter(({ type }) => type === 'task.completed')).toHaveLength(2)
}

describe('server-sent events', () => {
  it('report a whole job as it happens, and end with it [D-event-14]', async () => {
    const job = await api.createJob(tasks)
    const reader = await follow(`jobs/${job.id}`)
    expect(await reader.ended).toBe(true)
    expectWhole(reader.events(), job)
  })

  it('report all events of a job that has ended, and none to a client that has them [D-event-17]', async () => {
    const job = await api.runJob(tasks)
    const path = `/v1/process/jobs/${job.id}/events`
    const { status, headers, bytes } = await api.get(path, { accept: 'text/event-stream' })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const data = [...bytes.toString().matchAll(/^data: (.*)$/gm)].map(([, text]) => JSON.parse(text ?? '') as Event)
    expectWhole(data, job)
    expect((await api.get(path, { 'last-event-id': `${data.length}` })).status).toBe(204)
    const task = `/v1/process/tasks/${job.tasks?.[0]?.id}/events`
    expect((await api.get(task)).status).toBe(200)
    expect((await api.get(`${task}?after=1000`)).status).toBe(204)
  })
})

/** A client of Socket.IO that keeps what it hears. */
function connect(auth: object, more: Parameters<typeof io>[1] = {}) {
  const socket = io(stack.url, { auth, transports: ['websocket'], forceNew: true, reconnection: false, ...more })
  sockets.push(socket)
  const heard: Event[] = []
  socket.on('event', (event: Event) => void heard.push(event))
  return {
    socket,
    heard,
    subscribe: (...words: unknown[]) => socket.timeout(20_000).emitWithAck('subscribe', ...words),
  }
}

function refusalOf(auth: object, more: Parameters<typeof io>[1] = {}): Promise<string> {
  const { socket } = connect(auth, more)
  return new Promise((resolve, reject) => {
    socket.once('connect', () => reject(new Error('connected')))
    socket.once('connect_error', (error) => resolve(Reflect.get(error, 'data')?.errorCode ?? error.message))
  })
}

describe('Socket.IO', () => {
  it('sends the current state of a job, then every event as it happens', async () => {
    const job = await api.createJob(tasks)
    const { subscribe, heard } = connect({ token: `Bearer ${key}` })
    const ack = await subscribe(`job.${job.id}`, { after: 0 })
    expect(ack).toMatchObject({ ok: true, state: { id: job.id } })
    await expect.poll(() => heard.map(({ type }) => type), soon).toContain('job.completed')
    expectWhole(heard, job)
  })

  it('resumes after the last sequence number when the connection was lost [S-event-01, D-event-22]', async () => {
    const job = await api.createJob(tasks)
    const first = connect({ token: `Bearer ${key}` })
    await first.subscribe(`job.${job.id}`, { after: 0 })
    await expect.poll(() => first.heard.length, soon).toBeGreaterThanOrEqual(3)
    first.socket.io.engine.close()
    const known = first.heard.filter(({ type }) => type !== 'task.progress')
    const second = connect({ token: `Bearer ${key}` })
    await second.subscribe(`job.${job.id}`, { after: known.at(-1)?.seq })
    await expect.poll(() => second.heard.map(({ type }) => type), soon).toContain('job.completed')
    expectWhole([...known, ...second.heard], job)
  })
})

describe('a client without access', () => {
  it('is refused without a key, with a forged and with a revoked one, and from a foreign page [D-event-24]', async () => {
    expect(await refusalOf({})).toBe('unauthorized')
    expect(await refusalOf({ token: `Bearer lathe_${'a'.repeat(36)}` })).toBe('unauthorized')
    const { key: revoked, keyId } = await newKey()
    await revokeKey(keyId)
    expect(await refusalOf({ token: `Bearer ${revoked}` })).toBe('unauthorized')
    const foreign = { extraHeaders: { origin: 'https://evil.example' } }
    for (const transports of [['websocket'], ['polling']]) {
      expect(await refusalOf({ token: `Bearer ${key}` }, { ...foreign, transports })).toMatch(/error/)
    }
  })

  it('receives no events of jobs of other users [D-event-24]', async () => {
    const { key: other } = await newKey()
    const spy = connect({ token: `Bearer ${other}` })
    const upload = await api.createJob({ form: { operation: 'import/upload' } })
    const [task] = upload.tasks ?? []
    for (const channel of [`job.${upload.id}`, `task.${task?.id}`]) {
      expect(await spy.subscribe(channel, { after: 0 })).toMatchObject({ ok: false, errorCode: 'not_found' })
    }
    expect(await spy.subscribe('jobs')).toMatchObject({ ok: true, state: [] })
    expect(await spy.subscribe('tasks')).toMatchObject({ ok: true, state: [] })
    expect((await follow(`jobs/${upload.id}`, other)).status).toBe(404)
    const owner = connect({ token: `Bearer ${key}` })
    await owner.subscribe(`job.${upload.id}`)
    await api.post(`/v1/process/tasks/${task?.id}/cancel`)
    await expect.poll(() => owner.heard.map(({ type }) => type), soon).toContain('job.failed')
    // What the owner has heard, the spy would have heard, too.
    const own = createClient({ url: stack.url, key: other, recordFile: stack.recordFile })
    const mine = await own.createJob({ form: { operation: 'import/upload' } })
    await expect.poll(() => spy.heard.length, soon).toBeGreaterThan(0)
    expect(JSON.stringify(spy.heard)).toContain(mine.id)
    expect(JSON.stringify(spy.heard)).not.toContain(upload.id)
  })

  it('is disconnected within seconds when the key is revoked [D-event-21]', async () => {
    const { key: own, keyId } = await newKey()
    const { socket, subscribe } = connect({ token: `Bearer ${own}` })
    await subscribe('jobs')
    await revokeKey(keyId)
    await waitFor(() => !socket.connected, { withinMs: 20_000, what: 'the end of the connection' })
  })
})
