import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { httpErrorCodes, routes } from '@lathe/contract'
import { createLog } from '@lathe/runtime'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './testing/start-api.ts'

let api: TestApi
let headers: { authorization: string }

beforeAll(async () => {
  api = await startApi()
  headers = (await api.createKey()).headers
})

afterAll(() => api[Symbol.asyncDispose]())

const unknownId = '0123456789abcdef01234567'
const post = (url: string, payload?: string | object, more: Record<string, string> = {}): InjectOptions => ({
  method: 'POST',
  url,
  headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }), ...more },
  ...(payload !== undefined && { payload }),
})

describe('the order of checks', () => {
  it('puts an unknown path before Accept, rate, key and scope [S-err-04, D-http-02]', async () => {
    const response = await api.app.inject({ url: '/v1/nothing', headers: { accept: 'text/html' } })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ status: 404, errorCode: 'not_found' })
    expect(response.headers['ratelimit-limit']).toBeUndefined()
  })

  it('answers a known path with a wrong method 405 and says what is allowed [S-err-05, D-http-02, D-http-27]', async () => {
    const response = await api.app.inject({ method: 'PUT', url: '/v1/process/jobs', headers: { accept: 'text/html' } })
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe('GET, HEAD, POST, OPTIONS')
    expect(response.json()).toMatchObject({ errorCode: 'method_not_allowed' })
  })

  it('puts Accept before the key [S-http-01, S-err-06, D-http-03]', async () => {
    const response = await api.app.inject({ url: '/v1/process/tasks', headers: { accept: 'text/html' } })
    expect(response.json()).toMatchObject({ status: 406, errorCode: 'not_acceptable' })
  })

  it('puts the key before scope and parameters [S-err-02, D-http-05]', async () => {
    const response = await api.app.inject({ method: 'POST', url: '/v1/process/convert', payload: { nonsense: 1 } })
    expect(response.json()).toMatchObject({ status: 401, errorCode: 'unauthorized' })
    expect(response.headers['www-authenticate']).toBe('Bearer')
  })

  it('puts the scope before parameters [S-auth-05, S-err-03, D-http-06, D-http-63]', async () => {
    const reader = await api.createKey(['task.read'])
    const response = await api.app.inject({
      method: 'POST',
      url: '/v1/process/convert',
      headers: reader.headers,
      payload: { nonsense: 1 },
    })
    expect(response.json()).toMatchObject({ status: 403, errorCode: 'forbidden' })
    expect(response.json().msg).toContain('task.write')
  })

  it('puts parameters before the resource [S-tasks-12, S-err-04, D-http-07, D-http-31]', async () => {
    expect((await api.app.inject({ url: '/v1/process/tasks/xyz', headers })).statusCode).toBe(400)
    expect((await api.app.inject({ url: `/v1/process/tasks/${unknownId}?include=x`, headers })).statusCode).toBe(400)
    expect((await api.app.inject({ url: `/v1/process/tasks/${unknownId}`, headers })).statusCode).toBe(404)
  })
})

describe('every route', () => {
  it('states a scope, and every route of the contract is served', async () => {
    for (const { method, path } of Object.values(routes)) {
      const url = path.replace(/\{(\w+)\}/g, ':$1')
      expect(api.app.hasRoute({ method, url }), `${method} ${path}`).toBe(true)
    }
  })

  it('without a scope in its configuration prevents the api from starting', async () => {
    const { buildApp } = await import('./app.ts')
    const app = await buildApp(api.services)
    app.get('/open', async () => 'oops')
    await expect(app.ready()).rejects.toThrow('routes without a scope: GET /open')
    await app.close()
  })

  it.each(Object.entries(routes).filter(([, route]) => route.scope !== 'public'))(
    '%s refuses a call without a key, with a wrong key and with a key that lacks the scope [S-http-03, S-imp-01, S-proc-01, S-auth-01, S-auth-04, S-auth-05, D-http-63]',
    async (_name, { method, path, scope }) => {
      const url = path.replace(/\{\w+\}/g, unknownId)
      const other = await api.createKey([scope === 'task.read' ? 'task.write' : 'task.read'])
      const status = async (authorization?: string) =>
        (await api.app.inject({ method, url, headers: authorization ? { authorization } : {} })).statusCode
      expect(await status()).toBe(401)
      expect(await status('Bearer lathe_wrong')).toBe(401)
      expect(await status('Basic abc')).toBe(401)
      expect(await status(other.headers.authorization)).toBe(403)
    },
  )

  it('refuses a revoked key [S-auth-02, S-auth-04]', async () => {
    const { keyId, headers: own } = await api.createKey()
    expect((await api.app.inject({ url: '/v1/process/tasks', headers: own })).statusCode).toBe(200)
    await api.revokeKey(keyId)
    await expect
      .poll(async () => (await api.app.inject({ url: '/v1/process/tasks', headers: own })).statusCode, {
        timeout: 6000,
      })
      .toBe(401)
  })
})

describe('bodies', () => {
  it('may be missing or {} where none is needed, whatever media type is named [S-imp-03, D-http-13]', async () => {
    const url = '/v1/process/import/upload'
    expect((await api.app.inject(post(url))).statusCode).toBe(201)
    expect((await api.app.inject(post(url, {}))).statusCode).toBe(201)
    expect((await api.app.inject(post(url, ''))).statusCode).toBe(201)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await api.app.inject(post(url, '', form))).statusCode).toBe(201)
  })

  it('that are not JSON, not UTF-8 or of another media type are refused with 400 [S-gen-04, S-http-02, D-http-11]', async () => {
    const refusal = async (options: InjectOptions) => (await api.app.inject(options)).json()
    const url = '/v1/process/convert'
    expect(await refusal(post(url, '{"a"'))).toMatchObject({ status: 400, errorCode: 'invalid_json' })
    expect(await refusal(post(url, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }))).toMatchObject({
      status: 400,
      errorCode: 'unsupported_media_type',
    })
    expect(await refusal(post(url, '<a/>', { 'content-type': 'text/xml' }))).toMatchObject({ status: 400 })
    expect(await refusal(post(url, '{}', { 'content-type': 'application/json; charset=latin1' }))).toMatchObject({
      errorCode: 'unsupported_media_type',
    })
  })

  it('with prototype pollution or more than 32 levels are refused with 400 [D-http-14]', async () => {
    const url = '/v1/process/jobs'
    for (const body of [
      '{"__proto__":{"a":1}}',
      '{"tasks":{"constructor":{"prototype":{}}}}',
      `${'['.repeat(40)}${']'.repeat(40)}`,
    ]) {
      expect((await api.app.inject(post(url, body))).json()).toMatchObject({
        status: 400,
        errorCode: 'invalid_request',
      })
    }
  })

  const refusalOf = async (url: string, size: number) => {
    const body = JSON.stringify({ tag: 'x'.repeat(size - '{"tag":""}'.length) })
    const { status, errorCode } = (await api.app.inject(post(url, body))).json()
    return [status, errorCode]
  }

  it('of less than 64 KiB are read [L-body]', async () => {
    expect(await refusalOf('/v1/process/convert', 64 * 1024 - 1)).toEqual([400, 'invalid_request'])
  })

  it('of 64 KiB are read [L-body]', async () => {
    expect(await refusalOf('/v1/process/convert', 64 * 1024)).toEqual([400, 'invalid_request'])
  })

  it('larger than 64 KiB are refused with 400 [D-http-09, D-http-12, L-body]', async () => {
    expect(await refusalOf('/v1/process/convert', 64 * 1024 + 1)).toEqual([400, 'body_too_large'])
  })

  it('that may contain files are refused beyond 16 MiB [D-http-12, L-body-files]', async () => {
    for (const url of ['/v1/process/jobs', '/v1/process/import/base64']) {
      expect(await refusalOf(url, 16 * 1024 ** 2)).toEqual([400, 'invalid_request'])
      expect(await refusalOf(url, 16 * 1024 ** 2 + 1)).toEqual([400, 'body_too_large'])
    }
  })

  it('with unknown fields are refused with 400, naming the field [S-err-01, D-http-18]', async () => {
    const response = await api.app.inject(
      post('/v1/process/import/url', { url: 'https://a.example/x.jpg', colour: 'red' }),
    )
    expect(response.statusCode).toBe(400)
    expect(response.json().errors).toEqual([expect.objectContaining({ path: 'colour' })])
  })
})

describe('requests', () => {
  it('may use HEAD as GET, without a body [D-http-22]', async () => {
    const response = await api.app.inject({ method: 'HEAD', url: '/v1/query/formats' })
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('')
    expect(Number(response.headers['content-length'])).toBeGreaterThan(0)
  })

  it('may end their path with a slash and spell ids in any case [D-http-24, D-http-30]', async () => {
    const { id } = (await api.app.inject(post('/v1/process/import/upload/'))).json()
    const response = await api.app.inject({ url: `/v1/process/tasks/${id.toUpperCase()}/`, headers })
    expect(response.json().id).toBe(id)
  })

  it('that repeat a query parameter are refused; unknown parameters are ignored [D-http-19, D-http-20]', async () => {
    expect((await api.app.inject({ url: '/v1/process/tasks?page=1&page=2', headers })).statusCode).toBe(400)
    expect((await api.app.inject({ url: '/v1/process/tasks?colour=red', headers })).statusCode).toBe(200)
  })

  it('with a malformed URL are refused with 400 in the usual format', async () => {
    const response = await api.app.inject({ url: '/v1/process/tasks/%E0%A4%A', headers })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ status: 400, errorCode: 'invalid_request' })
  })

  it.each([
    ['that are not HTTP at all', 'NONSENSE\r\n\r\n', 'The request is not valid HTTP.'],
    [
      'with headers that are too large',
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      'The headers of the request are too large.',
    ],
  ])('%s are refused with 400 in the usual format, and with the reason', async (_, request, msg) => {
    if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = api.app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    const answer = await readText(socket)
    expect(answer).toContain('HTTP/1.1 400')
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      status: 400,
      errorCode: 'invalid_request',
      msg,
    })
  })
})

describe('errors', () => {
  it('have one format, with a closed list of codes and the id of the request [D-http-25]', async () => {
    const response = await api.app.inject({ url: '/v1/process/tasks/xyz', headers })
    const body = response.json()
    expect(Object.keys(body).sort()).toEqual(['errorCode', 'errors', 'msg', 'requestId', 'status'])
    expect(httpErrorCodes).toContain(body.errorCode)
    expect(body.requestId).toBe(response.headers['x-request-id'])
  })

  it('of an unavailable dependency are answered with 503 and Retry-After [D-http-66]', async () => {
    const away = async (): Promise<never> => {
      throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' })
    }
    await using broken = await startApi({ replace: () => ({ accounts: { findCaller: away } }) })
    const response = await broken.app.inject({ url: '/v1/process/tasks', headers })
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('5')
    expect(response.json()).toMatchObject({ status: 503, errorCode: 'unavailable' })
    expect(response.body).not.toContain('10.0.0.5')
  })

  it('that are unexpected are answered with 500 without their message [S-err-09]', async () => {
    await using broken = await startApi({
      replace: () => ({ accounts: { findCaller: () => Promise.reject(new Error('password=hunter2')) } }),
    })
    const response = await broken.app.inject({ url: '/v1/process/tasks', headers: { authorization: 'Bearer x' } })
    expect(response.json()).toMatchObject({ status: 500, errorCode: 'internal' })
    expect(response.body).not.toContain('hunter2')
  })
})

describe('the log', () => {
  it('holds every request with its id and route, and no key, token or signature', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'info', name: 'api', destination: { write: (line) => void lines.push(line) } })
    await using logged = await startApi({ replace: () => ({ log }) })
    const { key, headers: own } = await logged.createKey()
    const secret = 's3cr3t'
    const urls = [
      `/v1/files/${unknownId}/0?signature=${secret}`,
      `/v1/uploads/${unknownId}/${secret}`,
      `/v1/query/formats?x=${secret}`,
    ]
    const ids: unknown[] = []
    for (const url of urls) ids.push((await logged.app.inject({ url, headers: own })).headers['x-request-id'])
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(urls.length)
    for (const id of ids) expect(lines.join()).toContain(`"requestId":"${id}"`)
    expect(lines.join()).not.toContain(key)
    expect(lines.join()).not.toContain(secret)
  })
})

describe('OPTIONS and CORS', () => {
  const preflight = (url: string, origin = 'https://page.example') =>
    api.app.inject({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': 'POST' } })

  it('answers 204 with the methods of the path, without a key [D-http-23]', async () => {
    const response = await preflight('/v1/process/jobs')
    expect(response.statusCode).toBe(204)
    expect(response.headers.allow).toContain('POST')
    expect((await api.app.inject({ method: 'OPTIONS', url: '/v1/process/jobs' })).statusCode).toBe(204)
    expect((await preflight('/v1/nothing')).statusCode).toBe(404)
  })

  it('is open to every page for queries, uploads and downloads [S-imp-08, D-http-52, D-op-34]', async () => {
    for (const url of ['/v1/query/formats', `/v1/uploads/${unknownId}/x`, `/v1/files/${unknownId}/0`]) {
      expect((await preflight(url)).headers['access-control-allow-origin'], url).toBe('*')
    }
  })

  it('is elsewhere open only to the origins of the configuration [D-http-53]', async () => {
    expect((await preflight('/v1/process/jobs')).headers['access-control-allow-origin']).toBeUndefined()
    await using other = await startApi({ http: { corsOrigins: ['https://mine.example'] } })
    const ask = (origin: string) =>
      other.app.inject({
        method: 'OPTIONS',
        url: '/v1/process/jobs',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    expect((await ask('https://mine.example')).headers['access-control-allow-origin']).toBe('https://mine.example')
    expect((await ask('https://other.example')).headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('the service routes', () => {
  it('report liveness and readiness', async () => {
    expect((await api.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    const ready = await api.app.inject('/readyz')
    expect(ready.statusCode).toBe(200)
    expect(ready.json()).toEqual({
      status: 'ready',
      parts: { postgres: 'up', storage: 'up', redis: 'up', clock: 'up' },
    })
  })

  it('answer 503 when the service is not ready', async () => {
    await using down = await startApi({
      replace: () => ({ readiness: async () => ({ status: 'down', parts: { postgres: 'down' } }) }),
    })
    expect((await down.app.inject('/readyz')).statusCode).toBe(503)
  })

  it('S15: show no metrics to clients', async () => {
    const { statusCode, body } = await api.app.inject({ url: '/metrics', headers: { accept: 'text/plain' } })
    expect(statusCode).toBe(404)
    expect(body).not.toContain('lathe_http_request_seconds')
  })

  it('serve the reference page and its style sheet, whatever Accept contains [D-http-29]', async () => {
    const page = await api.app.inject({ url: '/docs', headers: { accept: 'text/html' } })
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page.body) ?? []
    const { statusCode, headers } = await api.app.inject(style)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toContain('text/css')
    expect((await api.app.inject('/docs/')).statusCode).toBe(200)
  })

  it('S15: serve the reference with a Content-Security-Policy that allows no scripts', async () => {
    const { headers } = await api.app.inject('/docs')
    const policy = headers['content-security-policy']
    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('serve the OpenAPI document', async () => {
    expect((await api.app.inject('/openapi.json')).json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
  })
})
