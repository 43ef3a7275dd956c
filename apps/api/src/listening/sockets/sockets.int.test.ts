import type { Event, Job, Task } from '@lathe/contract'
import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { completeUpload } from '../../testing/new-user.ts'
import { startApi, type TestApi } from '../../testing/start-api.ts'

const soon = { timeout: 20_000, interval: 20 }
const stack = new AsyncDisposableStack()
const sockets: Socket[] = []
let api: TestApi
let base: string
let key: string

beforeAll(async () => {
  api = stack.use(await startApi({ env: { CORS_ORIGINS: 'https://app.example' } }))
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  ;({ key } = await api.createKey())
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})
afterAll(() => stack.disposeAsync())

type Ack = { ok: boolean; state?: unknown; seq?: number | null; errorCode?: string; msg?: string }

/** A client that keeps the messages it receives. */
function connect(options: { token?: unknown; origin?: string; url?: string; polling?: boolean } = {}) {
  const { token = `Bearer ${key}`, origin, url = base, polling = false } = options
  const socket = io(url, {
    auth: { token },
    transports: [polling ? 'polling' : 'websocket'],
    reconnection: false,
    forceNew: true,
    ...(origin && { extraHeaders: { origin } }),
  })
  sockets.push(socket)
  const heard: { event: Event; channel: string }[] = []
  socket.on('event', (event: Event, channel: string) => void heard.push({ event, channel }))
  const send = (name: string, ...words: unknown[]): Promise<Ack> => socket.timeout(55_000).emitWithAck(name, ...words)
  return {
    socket,
    heard,
    seqs: () => heard.map(({ event }) => event.seq),
    subscribe: (...words: unknown[]) => send('subscribe', ...words),
    unsubscribe: (...words: unknown[]) => send('unsubscribe', ...words),
  }
}

/** How an attempt to connect ended. */
function attempt(options: Parameters<typeof connect>[0]): Promise<{ errorCode?: string } | 'connected'> {
  const { socket } = connect(options)
  return new Promise((resolve) => {
    socket.once('connect', () => resolve('connected'))
    socket.once('connect_error', (error) => resolve((error as Error & { data?: object }).data ?? {}))
  })
}

async function post<T>(url: string, payload: object = {}, own = key): Promise<T> {
  const headers = { authorization: `Bearer ${own}` }
  const answer = await api.app.inject({ method: 'POST', url, payload, headers })
  return answer.json<T>()
}

const upload = (own = key) => post<Task>('/v1/process/import/upload', {}, own)
const newJob = (own = key) => post<Job>('/v1/process/jobs', { tasks: { form: { operation: 'import/upload' } } }, own)

async function complete(job: Job): Promise<void> {
  for (const task of job.tasks ?? []) await completeUpload(api, task)
}

describe('subscribing to a job', () => {
  it.each([false, true])(
    'is acknowledged with its state, then sends later events (polling: %s) [D-event-22]',
    async (polling) => {
      const job = await newJob()
      const client = connect({ polling })
      const ack = await client.subscribe(`job.${job.id}`)
      expect(ack).toMatchObject({ ok: true, seq: 4, state: { id: job.id, status: 'processing' } })
      await complete(job)
      await expect.poll(client.seqs, soon).toEqual([5, 6])
      expect(client.heard.at(-1)).toMatchObject({
        channel: `job.${job.id}`,
        event: { type: 'job.completed', data: { job: { id: job.id, status: 'completed' } } },
      })
    },
  )

  it('sends all events, or those after a number, of a job that has ended [D-event-22]', async () => {
    const job = await newJob()
    await complete(job)
    const client = connect()
    expect(await client.subscribe(`job.${job.id}`, { after: 0 })).toMatchObject({ ok: true, seq: 6 })
    await expect.poll(client.seqs, soon).toEqual([1, 2, 3, 4, 5, 6])
    const other = connect()
    await other.subscribe(`job.${job.id}`, { after: 4 })
    await expect.poll(other.seqs, soon).toEqual([5, 6])
  })

  it('is refused for jobs of others and unknown jobs, without revealing which [D-event-24]', async () => {
    const { key: foreign } = await api.createKey()
    const job = await newJob(foreign)
    const client = connect()
    const refusal = { ok: false, errorCode: 'not_found', msg: expect.stringContaining(job.id) }
    expect(await client.subscribe(`job.${job.id}`, { after: 0 })).toEqual(refusal)
    expect(await client.subscribe(`task.${job.tasks?.[0]?.id}`)).toMatchObject({ ok: false, errorCode: 'not_found' })
    expect(await client.subscribe(`job.${'0'.repeat(24)}`)).toMatchObject({ ok: false, errorCode: 'not_found' })
    await client.subscribe('jobs', {})
    await client.subscribe('tasks', {})
    await complete(job)
    const own = await newJob()
    await expect.poll(() => client.heard.length, soon).toBeGreaterThan(2)
    const reported = JSON.stringify(client.heard)
    expect(reported).toContain(own.id)
    expect(reported).not.toContain(job.id)
  })

  it.each(['user.1', 7, null, 'job.*', `job.${'0'.repeat(24)}; drop`])(
    'is refused for %j, naming what is allowed',
    async (channel) => {
      expect(await connect().subscribe(channel)).toMatchObject({ ok: false, errorCode: 'invalid_request' })
    },
  )

  it('ends with unsubscribe', async () => {
    const [job, other] = [await newJob(), await newJob()]
    const client = connect()
    await client.subscribe(`job.${job.id}`)
    await client.subscribe(`job.${other.id}`)
    expect(await client.unsubscribe(`job.${job.id}`)).toEqual({ ok: true })
    await complete(job)
    await complete(other)
    await expect.poll(client.seqs, soon).toEqual([5, 6])
    expect(client.heard.every(({ channel }) => channel === `job.${other.id}`)).toBe(true)
  })
})

describe('subscribing to a task', () => {
  it('sends events of this task only, with the numbers of its job', async () => {
    const job = await newJob()
    const client = connect()
    const id = job.tasks?.[0]?.id
    expect(await client.subscribe(`task.${id}`, { after: 0 })).toMatchObject({ ok: true, state: { id } })
    await complete(job)
    await expect.poll(client.seqs, soon).toEqual([2, 3, 5])
  })
})

describe('subscribing to an account', () => {
  it('sends new events of all jobs and tasks, together without a gap [D-event-23]', async () => {
    const { key: own } = await api.createKey()
    const before = await newJob(own)
    const client = connect({ token: `Bearer ${own}` })
    expect(await client.subscribe('jobs')).toMatchObject({ ok: true, seq: null, state: [{ id: before.id }] })
    await client.subscribe('tasks')
    const job = await newJob(own)
    const lone = await upload(own)
    await complete(job)
    await expect.poll(() => client.heard.length, soon).toBeGreaterThanOrEqual(8)
    const seqsOf = (channel: string, type: string) =>
      client.heard.filter((one) => one.channel === channel && one.event.type.startsWith(type)).map((one) => one.event)
    const own6 = [...seqsOf('jobs', 'job.'), ...seqsOf('tasks', 'task.')].filter(({ data }) =>
      JSON.stringify(data).includes(job.id),
    )
    expect(own6.map(({ seq }) => seq).sort()).toEqual([1, 2, 3, 4, 5, 6])
    expect(client.heard.filter(({ event }) => JSON.stringify(event.data).includes(lone.id))).toHaveLength(2)
    expect(client.heard.some(({ event }) => JSON.stringify(event.data).includes(before.id))).toBe(false)
  })

  it('sends both on one channel [D-event-55]', async () => {
    const { key: own } = await api.createKey()
    const client = connect({ token: `Bearer ${own}` })
    expect(await client.subscribe('account')).toMatchObject({ ok: true, seq: null, state: [] })
    await complete(await newJob(own))
    await expect.poll(client.seqs, soon).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('resumes from a time in the past after a lost connection [D-event-23]', async () => {
    const { key: own } = await api.createKey()
    const job = await newJob(own)
    const client = connect({ token: `Bearer ${own}` })
    await client.subscribe('jobs', { since: new Date(Date.now() - 5000).toISOString() })
    await expect.poll(client.seqs, soon).toEqual([1, 4])
    client.socket.disconnect()
    await complete(job)
    const again = connect({ token: `Bearer ${own}` })
    await again.subscribe('jobs', { since: client.heard.at(-1)?.event.createdAt })
    await expect.poll(again.seqs, soon).toEqual([1, 4, 6])
  })
})

describe('connecting', () => {
  it.each([
    ['nothing', undefined, 'unauthorized'],
    ['a forged key', `Bearer lathe_${'a'.repeat(36)}`, 'unauthorized'],
    ['an object', { toString: 1 }, 'unauthorized'],
    ['the key without its scheme', 'plain', 'unauthorized'],
  ])('with %s is refused', async (_, token, errorCode) => {
    expect(await attempt({ token: token === 'plain' ? key : (token ?? '') })).toMatchObject({ errorCode })
  })

  it('with a key that may not read is refused', async () => {
    const { key: writer } = await api.createKey(['task.write'])
    expect(await attempt({ token: `Bearer ${writer}` })).toMatchObject({ errorCode: 'forbidden' })
    const owner = await api.createKey()
    const tasks = { photo: { operation: 'import/upload' } }
    const made = await api.app.inject({
      method: 'POST',
      url: '/v1/process/jobs',
      headers: owner.headers,
      payload: { tasks },
    })
    const url = `/v1/process/jobs/${made.json<{ id: string }>().id}/tokens`
    const { token } = (await api.app.inject({ method: 'POST', url, headers: owner.headers })).json<{ token: string }>()
    expect(await attempt({ token: `Bearer ${token}` })).toMatchObject({ errorCode: 'forbidden' })
  })

  it('from a page of another site is refused, however it connects, and from a known one it is not [D-event-24]', async () => {
    for (const polling of [false, true]) {
      expect(await attempt({ origin: 'https://evil.example', polling })).not.toBe('connected')
      expect(await attempt({ origin: 'null', polling })).not.toBe('connected')
      expect(await attempt({ origin: 'https://app.example', polling })).toBe('connected')
      expect(await attempt({ origin: 'https://lathe.test', polling })).toBe('connected')
    }
  })

  it('over plain HTTP is refused where HTTPS is required, unless a trusted proxy vouches for it [D-event-26]', async () => {
    await using strict = await startApi({ http: { allowHttp: false } })
    const url = await strict.app.listen({ port: 0, host: '127.0.0.1' })
    const { key: own } = await strict.createKey()
    expect(await attempt({ url, token: `Bearer ${own}` })).not.toBe('connected')
    await using proxied = await startApi({ http: { allowHttp: false, trustedProxies: ['127.0.0.1/32'] } })
    const behind = await proxied.app.listen({ port: 0, host: '127.0.0.1' })
    const { key: other } = await proxied.createKey()
    const socket = io(behind, {
      auth: { token: `Bearer ${other}` },
      transports: ['websocket'],
      extraHeaders: { 'x-forwarded-proto': 'https' },
    })
    sockets.push(socket)
    await expect.poll(() => socket.connected, soon).toBe(true)
    socket.disconnect()
  })

  it('and sending messages count toward the rate limit of the key [D-event-25]', async () => {
    await using slow = await startApi({ env: { RATE_LIMIT_PER_KEY: '3' } })
    const url = await slow.app.listen({ port: 0, host: '127.0.0.1' })
    const { key: own } = await slow.createKey()
    const client = connect({ url, token: `Bearer ${own}` })
    const answers = [await client.subscribe('jobs'), await client.subscribe('tasks'), await client.subscribe('jobs')]
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, false])
    expect(answers[2]).toMatchObject({ errorCode: 'rate_limited', msg: expect.stringContaining('seconds') })
    client.socket.disconnect()
  })
})

describe('connections that show no key', () => {
  it('count toward the rate limit of their address, and are refused over it', async () => {
    await using own = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '2' } })
    const url = `${await own.app.listen({ port: 0, host: '127.0.0.1' })}/socket.io/?EIO=4&transport=polling`
    await expect
      .poll(async () => {
        const opened = await fetch(url)
        const text = await opened.text()
        const { sid } = opened.ok ? JSON.parse(text.slice(1)) : { sid: undefined }
        // A packet of type 1 closes the session.
        if (sid) await fetch(`${url}&sid=${sid}`, { method: 'POST', body: '1' })
        return opened.status
      }, soon)
      .toBe(403)
  })
})

describe('connections that show no key yet', () => {
  it('S14: count when they open, until they send a valid key', async () => {
    await using own = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '3' } })
    const { key: valid } = await own.createKey()
    const url = await own.app.listen({ port: 0, host: '127.0.0.1' })
    await expect.poll(() => own.services.readiness().then(({ status }) => status), soon).toBe('ready')
    for (let n = 0; n < 6; n++) expect(await attempt({ url, token: `Bearer ${valid}` })).toBe('connected')
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await fetch(`${url}/socket.io/?EIO=4&transport=polling`)).status)
    expect(statuses).toEqual([200, 200, 200, 403, 403, 403])
  })
})

describe('a connection', () => {
  it('is closed within 5 seconds of the revocation of its key [D-event-21]', async () => {
    const { key: own, keyId } = await api.createKey()
    const client = connect({ token: `Bearer ${own}` })
    await client.subscribe('jobs')
    const start = performance.now()
    await api.revokeKey(keyId)
    await expect.poll(() => client.socket.connected, soon).toBe(false)
    // At most 4.5 s, plus the delay of a busy machine.
    expect(performance.now() - start).toBeLessThan(8000)
    expect(await attempt({ token: `Bearer ${own}` })).toMatchObject({ errorCode: 'unauthorized' })
  })

  it('is closed over a message of more than 64 KiB [D-event-25]', async () => {
    const client = connect()
    await client.subscribe('jobs')
    client.socket.emit('subscribe', 'x'.repeat(70_000))
    await expect.poll(() => client.socket.connected, soon).toBe(false)
  })

  it('has at most 100 subscriptions [D-event-25]', async () => {
    const { key: own } = await api.createKey()
    const client = connect({ token: `Bearer ${own}` })
    const tasks = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`t${i}`, { operation: 'import/upload' }]))
    const job = await post<Job>('/v1/process/jobs', { tasks }, own)
    const ids = job.tasks?.map(({ id }) => id) ?? []
    const acks = await Promise.all([...ids.map((id) => client.subscribe(`task.${id}`)), client.subscribe('jobs')])
    expect(acks.filter(({ ok }) => ok)).toHaveLength(100)
    expect(acks.find(({ ok }) => !ok)).toMatchObject({ errorCode: 'invalid_request' })
    // An existing subscription may be restarted.
    expect(await client.subscribe(`task.${ids[0]}`, { after: 0 })).toMatchObject({ ok: true })
  })

  it('is ended when the process stops', async () => {
    await using own = await startApi()
    const url = await own.app.listen({ port: 0, host: '127.0.0.1' })
    const { key: holder } = await own.createKey()
    const client = connect({ url, token: `Bearer ${holder}` })
    await client.subscribe('jobs')
    const start = performance.now()
    await own.app.close()
    expect(performance.now() - start).toBeLessThan(10_000)
    await expect.poll(() => client.socket.connected, soon).toBe(false)
  })

  it('that reads nothing is closed, and resumes after the last number when it reconnects [D-event-19]', async () => {
    await using own = await startApi({ http: { heartbeatMs: 200 } })
    const url = await own.app.listen({ port: 0, host: '127.0.0.1' })
    const { key: holder, headers } = await own.createKey()
    const tasks = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`t${i}`, { operation: 'import/upload' }]))
    const created = await own.app.inject({ method: 'POST', url: '/v1/process/jobs', payload: { tasks }, headers })
    const { id } = created.json<Job>()
    const client = connect({ url, token: `Bearer ${holder}` })
    expect(await client.subscribe(`job.${id}`)).toMatchObject({ ok: true })
    const { _socket: wire } = (client.socket.io.engine.transport as unknown as { ws: { _socket: { pause(): void } } })
      .ws
    wire.pause()
    const cut = async () => {
      const { values } = await own.services.metrics.listenersCut.get()
      return values.some(({ labels, value }) => labels.reason === 'stalled' && value > 0)
    }
    await expect
      .poll(
        async () => {
          for (let i = 0; i < 10; i += 1) client.socket.emit('subscribe', `job.${id}`, { after: 0 })
          return cut()
        },
        { timeout: 40_000, interval: 50 },
      )
      .toBe(true)
    client.socket.disconnect()
    const again = connect({ url, token: `Bearer ${holder}` })
    await again.subscribe(`job.${id}`, { after: 150 })
    await expect.poll(() => again.seqs().length, soon).toBe(52)
    expect(again.seqs()).toEqual(Array.from({ length: 52 }, (_, i) => 151 + i))
    again.socket.disconnect()
  })
})
