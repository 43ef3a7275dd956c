import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerJson, startFailingServer, startFastClock, startTcpProxy } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Lathe } from './lathe.ts'

type Phase = 'create' | 'upload' | 'upload in parts' | 'events' | 'polling' | 'download'
type Outage = 'cut' | 'swallow'

const outageMs = 120_000
const content = Buffer.from(new Uint8Array(300_000).map((_, n) => n % 251))
// More than one part.
const large = new Uint8Array(9_000_000).fill(7)
const eventTypes = ['job.created', 'task.started', 'task.completed', 'job.completed']

let clock: Disposable
beforeAll(() => {
  clock = startFastClock(50)
})
afterAll(() => clock[Symbol.dispose]())

interface Request {
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** A service with one job, which is away for two minutes as soon as a phase begins. What is done meanwhile goes on. */
async function startService(phase: Phase, outage: Outage) {
  const seen = { jobs: new Set<unknown>(), uploaded: 0, canceled: 0, outages: 0, isBack: false }
  let url = ''

  function begin(now: Phase): void {
    if (now !== phase || seen.outages > 0) return
    seen.outages += 1
    proxy[outage]()
    setTimeout(() => {
      seen.isBack = true
      proxy.pass()
    }, outageMs)
  }

  function job() {
    const isDone = seen.isBack || (phase !== 'events' && phase !== 'polling')
    const form = { url: `${url}/form`, tusUrl: `${url}/tus`, parameters: {} }
    const file = { filename: 'a.webp', size: content.length, sha256: '', url: `${url}/file` }
    const status = isDone ? 'completed' : 'processing'
    const tasks = [
      { id: 'a', name: 'file-1', status, dependsOn: [], result: { form } },
      { id: 'b', name: 'result', status, dependsOn: ['a'], result: isDone ? { files: [file] } : {} },
    ]
    return { id: 'j', status, result: {}, tasks }
  }

  function create({ headers }: Request, response: ServerResponse): void {
    seen.jobs.add(headers['idempotency-key'])
    begin('create')
    answerJson(response, 201, job())
  }

  function show(_: Request, response: ServerResponse): void {
    begin('polling')
    answerJson(response, 200, job())
  }

  function cancel(_: Request, response: ServerResponse): void {
    seen.canceled += 1
    answerJson(response, 200, {})
  }

  function takeForm({ body }: Request, response: ServerResponse): void {
    if (seen.uploaded > 0) {
      answerJson(response, 409, { errorCode: 'form_used' })
      return
    }
    seen.uploaded = body.length
    begin('upload')
    answerJson(response, 201, {})
  }

  function takePart({ headers, body }: Request, response: ServerResponse): void {
    if (Number(headers['upload-offset']) === seen.uploaded) seen.uploaded += body.length
    if (seen.uploaded < large.length) begin('upload in parts')
    response.writeHead(204, { 'upload-offset': String(seen.uploaded) }).end()
  }

  function sendEvents({ headers }: Request, response: ServerResponse): void {
    if (phase === 'polling') {
      answerJson(response, 429, {}, { 'retry-after': '0' })
      return
    }
    const last = Number(headers['last-event-id'] ?? 0)
    if (last === eventTypes.length) {
      response.writeHead(204).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const ready = phase === 'events' && !seen.isBack ? 2 : eventTypes.length
    for (const [n, type] of eventTypes.entries()) {
      if (n < last || n >= ready) continue
      response.write(`id: ${n + 1}\ndata: ${JSON.stringify({ id: `e${n}`, type, data: {} })}\n\n`)
    }
    if (ready === eventTypes.length) response.end()
    // After these events have gone through.
    else setTimeout(() => begin('events'), 5_000)
  }

  function sendFile({ headers }: Request, response: ServerResponse): void {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from })
    if (phase !== 'download' || seen.outages > 0) response.end(content.subarray(from))
    else response.write(content.subarray(0, 100_000), () => begin('download'))
  }

  const routes: Readonly<Record<string, (request: Request, response: ServerResponse) => void>> = {
    'GET /v1/account': (_, response) => answerJson(response, 200, {}),
    'POST /v1/process/jobs': create,
    'GET /v1/process/jobs/j': show,
    'GET /v1/process/jobs/j/events': sendEvents,
    'POST /v1/process/tasks/a/cancel': cancel,
    'POST /v1/process/tasks/b/cancel': cancel,
    'POST /form': takeForm,
    'POST /tus': (_, response) => answerJson(response, 201, {}, { location: `${url}/tus/1` }),
    'HEAD /tus/1': takePart,
    'PATCH /tus/1': takePart,
    'GET /file': sendFile,
  }
  const server = await startFailingServer((request, response) => {
    const route = routes[`${request.method} ${request.url}`]
    if (route) route(request, response)
    else answerJson(response, 404, {})
  })
  const proxy = await startTcpProxy(server.url)
  url = new URL(proxy.through(server.url)).origin
  return {
    url,
    seen,
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

const phases: readonly Phase[] = ['create', 'upload', 'upload in parts', 'events', 'polling', 'download']
const cases = phases.flatMap((phase) => (['cut', 'swallow'] as const).map((outage) => ({ phase, outage })))

describe.concurrent('a service that is away for two minutes', () => {
  it.for(cases)('is waited for: $phase, $outage', async ({ phase, outage }, { expect }) => {
    await using service = await startService(phase, outage)
    const lathe = new Lathe({ baseUrl: service.url, key: 'k' })
    await lathe.account()
    const types: string[] = []
    const source = phase === 'upload in parts' ? large : content
    const onEvent = ({ type }: { type: string }) => void types.push(type)
    const file = await lathe.convert(source, 'webp', {}, { partTimeoutMs: 60_000, onEvent })
    const bytes = await file.bytes()
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(createHash('sha256').update(content).digest('hex'))
    const { jobs, canceled, outages, uploaded } = service.seen
    // One key: a request that was repeated is the same one for the service.
    expect({ jobs: jobs.size, canceled, outages }).toEqual({ jobs: 1, canceled: 0, outages: 1 })
    expect(uploaded).toBeGreaterThanOrEqual(source.length)
    if (phase !== 'polling') expect(types).toEqual(eventTypes)
  })
})

describe.concurrent('a service that stays away', () => {
  it('ends the call after `outageMs`, and cancels nothing', async ({ expect }) => {
    await using service = await startService('events', 'cut')
    const lathe = new Lathe({ baseUrl: service.url, key: 'k', outageMs: 60_000 })
    await expect(lathe.convert(content, 'webp')).rejects.toMatchObject({ name: 'ConnectionError' })
    expect(service.seen).toMatchObject({ outages: 1, canceled: 0 })
  })

  it('is no longer waited for when the caller aborts', async ({ expect }) => {
    await using service = await startService('events', 'cut')
    const lathe = new Lathe({ baseUrl: service.url, key: 'k' })
    const stop = new AbortController()
    const onEvent = ({ type }: { type: string }) => {
      if (type === 'task.started') setTimeout(() => stop.abort(new Error('enough')), 30_000)
    }
    const converted = lathe.convert(content, 'webp', {}, { signal: stop.signal, onEvent })
    await expect(converted).rejects.toThrow('enough')
    expect(service.seen).toMatchObject({ outages: 1, isBack: false })
  })

  it('is not waited for if it has never answered', async ({ expect }) => {
    await using service = await startService('events', 'cut')
    service.proxy.cut()
    const before = performance.now()
    const lathe = new Lathe({ baseUrl: service.url, key: 'k', retries: 1 })
    await expect(lathe.convert(content, 'webp')).rejects.toMatchObject({ name: 'ConnectionError' })
    // By the fast clock.
    expect(performance.now() - before).toBeLessThan(outageMs)
  })
})

it('cancels a job when the caller aborts', async () => {
  await using service = await startService('events', 'cut')
  const lathe = new Lathe({ baseUrl: service.url, key: 'k' })
  const stop = new AbortController()
  const onEvent = () => stop.abort(new Error('enough'))
  const converted = lathe.convert(content, 'webp', {}, { signal: stop.signal, onEvent })
  await expect(converted).rejects.toThrow('enough')
  expect(service.seen).toMatchObject({ canceled: 2, outages: 0 })
})

it('cancels a job that cannot get its file', async () => {
  await using service = await startService('events', 'cut')
  const lathe = new Lathe({ baseUrl: service.url, key: 'k' })
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.error(new Error('The disk is broken.'))
    },
  })
  const made = lathe.convert({ stream, size: 10 }, 'webp' as never)
  await expect(made).rejects.toThrow('The disk is broken.')
  expect(service.seen.canceled).toBe(2)
})
