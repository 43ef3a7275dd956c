import { getEventListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { ConnectionError } from './errors.ts'
import { ResultFile } from './files.ts'
import { events } from './follow.ts'
import type { TaskFile } from './generated/types.ts'
import { Lathe } from './lathe.ts'
import { createTransport } from './transport.ts'

// Simulates what real services do rarely, and never on demand.
let close: (() => Promise<void>) | undefined
afterEach(async () => {
  await close?.()
  close = undefined
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse, n: number) => void) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    request.resume()
    answer(request, response, seen.length)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  close = () =>
    new Promise((done) => {
      server.closeAllConnections()
      server.close(() => done())
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const reply = (response: ServerResponse, status: number, body: object, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

describe('the transport', () => {
  it('retries a refused POST with the same Idempotency-Key, after Retry-After', async () => {
    const { url, seen } = await serve((_, response, n) => {
      if (n === 1) reply(response, 503, { errorCode: 'unavailable', msg: 'away' }, { 'retry-after': '1' })
      else if (n === 2) response.destroy()
      else reply(response, 201, { id: 'a' })
    })
    const before = performance.now()
    const transport = createTransport({ baseUrl: url, key: 'k' })
    expect(await transport.json('/v1/process/jobs', { method: 'POST', json: {} })).toEqual({ id: 'a' })
    expect(performance.now() - before).toBeGreaterThan(1000)
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    expect(seen[0]?.headers.authorization).toBe('Bearer k')
  })

  it('fails after two retries, and at once if a retry would not help', async () => {
    const { url, seen } = await serve((request, response) => {
      if (request.url === '/busy') return reply(response, 429, { errorCode: 'rate_limited' }, { 'retry-after': '0' })
      const errors = [{ path: 'a', code: 'required', msg: 'is required' }]
      return reply(response, 400, { errorCode: 'invalid_request', msg: 'a: is required', errors, requestId: 'r' })
    })
    const transport = createTransport({ baseUrl: url })
    await expect(transport.json('/busy')).rejects.toMatchObject({ name: 'RateLimitError', status: 429 })
    expect(seen).toHaveLength(3)
    await expect(transport.json('/wrong')).rejects.toMatchObject({
      name: 'InvalidRequestError',
      errorCode: 'invalid_request',
      requestId: 'r',
      errors: [{ path: 'a', code: 'required' }],
    })
    expect(seen).toHaveLength(4)
  })

  it('waits until the HTTP date in Retry-After, by the clock of the server', async () => {
    const { url, seen } = await serve((_, response, n) => {
      if (n > 1) return reply(response, 200, {})
      // The clock of the server is an hour behind.
      const now = Date.now()
      const [date, until] = [3_600_000, 3_598_000].map((ms) => new Date(now - ms).toUTCString())
      return reply(response, 503, {}, { date, 'retry-after': until })
    })
    const before = performance.now()
    await createTransport({ baseUrl: url }).send('/')
    expect(seen).toHaveLength(2)
    expect(performance.now() - before).toBeGreaterThan(1900)
  })

  it.each([
    ['longer than the request may take', 5_000, '6', 1],
    ['two minutes, however long the request may take', 3_600_000, '121', 1],
    ['longer than the request may take, with the pauses before', 1_500, '1', 2],
    ['until an HTTP date in an hour', 60_000, new Date(Date.now() + 3_600_000).toUTCString(), 1],
  ])('does not retry if it would have to wait %s', async (_, timeoutMs, retryAfter, requests) => {
    const { url, seen } = await serve((_, response) => reply(response, 429, {}, { 'retry-after': retryAfter }))
    const before = performance.now()
    const failed = createTransport({ baseUrl: url, timeoutMs }).json('/')
    await expect(failed).rejects.toMatchObject({ name: 'RateLimitError', retryAfterMs: expect.any(Number) })
    expect(seen).toHaveLength(requests)
    expect(performance.now() - before).toBeLessThan(4_000)
  })

  it.each(['', 'soon', '-5'])('waits as without Retry-After when it is %j', async (retryAfter) => {
    const { url, seen } = await serve((_, response, n) =>
      reply(response, n === 1 ? 503 : 200, {}, { 'retry-after': retryAfter }),
    )
    await createTransport({ baseUrl: url, retries: 1 }).json('/')
    expect(seen).toHaveLength(2)
  })

  it('aborts a request after its timeout, and by its signal', async () => {
    const { url } = await serve(() => undefined)
    const transport = createTransport({ baseUrl: url, retries: 0 })
    await expect(transport.json('/', { timeoutMs: 50 })).rejects.toMatchObject({ name: 'TimeoutError' })
    const stop = new AbortController()
    const asked = transport.json('/', { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 20)
    await expect(asked).rejects.toThrow('enough')
  })

  it('keeps nothing of finished requests, however long their timeout', async () => {
    const { url, seen } = await serve((request, response) => {
      seen.length = 0
      if (request.url === '/refused') return reply(response, 404, {})
      if (request.url === '/file') return reply(response, 200, { a: 1 })
      // One event, and then the end.
      const status = request.headers['last-event-id'] ? 204 : 200
      return response.writeHead(status, { 'content-type': 'text/event-stream' }).end('id: 1\ndata: {"id":"1"}\n\n')
    })
    const transport = createTransport({ baseUrl: url })
    const { signal } = new AbortController()
    const file = new ResultFile(transport, { filename: 'a', size: 7, sha256: '', url: `${url}/file` } as TaskFile)
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    async function heapAfter(times: number): Promise<number> {
      for (let n = 0; n < times; n += 1) {
        await file.bytes({ signal })
        await transport.send('/file', { signal })
        await transport.json('/refused', { signal }).catch(() => undefined)
        for await (const _ of events(transport, '/v1/account', signal));
      }
      // Garbage collection takes several rounds.
      for (let n = 0; n < 5; n += 1) {
        collect()
        await new Promise((done) => setTimeout(done, 10))
      }
      return process.memoryUsage().heapUsed
    }
    const before = await heapAfter(50)
    const after = await heapAfter(100)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    // With signals of `AbortSignal.timeout` it was 15,000.
    expect((after - before) / 100).toBeLessThan(8_000)
  })

  it.each([
    [403, 'out_of_storage', 'OutOfStorageError'],
    [403, 'forbidden', 'ForbiddenError'],
    [409, 'rate_limited', 'RateLimitError'],
    [400, 'not_found', 'NotFoundError'],
    [401, undefined, 'UnauthorizedError'],
    [404, 'a_new_code', 'NotFoundError'],
    [409, 'form_busy', 'RequestError'],
    [418, undefined, 'RequestError'],
  ])('chooses the class of an error with status %i by its code %s', async (status, errorCode, name) => {
    const { url } = await serve((_, response) => reply(response, status, { errorCode }))
    const failed = createTransport({ baseUrl: url, retries: 0 }).json('/')
    await expect(failed).rejects.toMatchObject({ name, status })
  })

  it('sends its name and version, and returns the response on request', async () => {
    const { url, seen } = await serve((_, response) =>
      reply(response, 200, { id: 'a', result: {} }, { 'x-request-id': 'r1' }),
    )
    const lathe = new Lathe({ baseUrl: url, key: 'k' })
    const { data, response } = await lathe.jobs.get('a').withResponse()
    expect([data.id, response.status, response.headers.get('x-request-id')]).toEqual(['a', 200, 'r1'])
    expect((await lathe.tasks.get('a')).id).toBe('a')
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(seen[0]?.headers['user-agent']).toBe(`lathe-sdk/${version}`)
  })

  it('refuses an API key in a page, but for tokens', async () => {
    const page = { baseUrl: 'http://127.0.0.1' }
    Object.assign(globalThis, { document: {} })
    try {
      expect(() => createTransport({ ...page, key: 'lathe_0123' })).toThrow('job token')
      for (const key of ['lathe_job_a', 'lathe_t_a.b']) expect(createTransport({ ...page, key })).toBeDefined()
      expect(createTransport({ ...page, key: 'lathe_0123', dangerouslyAllowBrowser: true })).toBeDefined()
      await expect(createTransport({ ...page, key: () => 'lathe_0123' }).send('/')).rejects.toThrow('job token')
    } finally {
      Reflect.deleteProperty(globalThis, 'document')
    }
  })

  it('asks for the key before every attempt, and again for another one if it is refused', async () => {
    const { url, seen } = await serve((request, response, n) => {
      if (n === 2) return reply(response, 503, {}, { 'retry-after': '0' })
      return reply(response, request.headers.authorization === 'Bearer new' ? 200 : 401, {})
    })
    let key = 'old'
    const onUnauthorized = async () => {
      key = 'new'
      return true
    }
    const transport = createTransport({ baseUrl: url, key: async () => key, onUnauthorized })
    await transport.json('/', { method: 'POST', json: {} })
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new', 'Bearer new'])
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it.each([
    ['there is no other key', false, 1],
    ['the other key is refused too', true, 2],
  ])('reports a refused key if %s', async (_, hasOther, requests) => {
    const { url, seen } = await serve((_, response) => reply(response, 401, {}))
    const transport = createTransport({ baseUrl: url, key: () => 'k', onUnauthorized: () => hasOther })
    await expect(transport.json('/')).rejects.toMatchObject({ name: 'UnauthorizedError' })
    expect(seen).toHaveLength(requests)
  })

  it('needs no key for links and forms, and none if the function has none', async () => {
    const { url, seen } = await serve((_, response) => reply(response, 200, {}))
    let asked = 0
    const key = () => {
      asked += 1
      return undefined
    }
    const transport = createTransport({ baseUrl: url, key })
    await transport.send('/link', { withoutKey: true })
    expect(asked).toBe(0)
    await transport.send('/')
    expect([asked, ...seen.map(({ headers }) => headers.authorization)]).toEqual([1, undefined, undefined])
  })

  it('retries if the key could not be fetched for a while', async () => {
    const { url, seen } = await serve((_, response) => reply(response, 200, {}))
    let asked = 0
    const key = () => {
      asked += 1
      if (asked === 1) throw new ConnectionError('away')
      return 'k'
    }
    await createTransport({ baseUrl: url, key }).send('/')
    expect([asked, seen.length]).toEqual([2, 1])
  })

  it('says what is missing when it has no address', () => {
    expect(() => createTransport({ baseUrl: '' })).toThrow('LATHE_URL')
  })

  it('keeps the path prefix of the service, and accepts absolute URLs', async () => {
    const { url, seen } = await serve((_, response) => reply(response, 200, {}))
    const transport = createTransport({ baseUrl: `${url}/lathe/`, key: 'k' })
    await transport.json('/v1/account', { query: { a: 'b' } })
    await transport.json(`${url}/elsewhere`, {})
    expect(seen.map((request) => request.url)).toEqual(['/lathe/v1/account?a=b', '/elsewhere'])
  })

  it('does not reconnect in a tight loop to streams that end without an event', async () => {
    const { url, seen } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    )
    const over = AbortSignal.timeout(1500)
    const following = events(createTransport({ baseUrl: url, key: 'k' }), '/v1/account', over).next()
    await expect(following).rejects.toThrow()
    expect(seen.length).toBeLessThanOrEqual(2)
  })

  it('gives files names that stay in the folder they are saved to', () => {
    const transport = createTransport({ baseUrl: 'http://127.0.0.1', key: 'k' })
    const nameOf = (filename: string) =>
      new ResultFile(transport, { filename, size: 1, url: 'http://127.0.0.1/a' } as TaskFile).name
    expect(['a.pdf', '../../a.pdf', 'C:\\a.pdf', '..', ''].map(nameOf)).toEqual([
      'a.pdf',
      'a.pdf',
      'a.pdf',
      'file',
      'file',
    ])
  })
})
