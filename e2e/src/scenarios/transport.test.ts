import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { get } from 'node:https'
import { json } from 'node:stream/consumers'
import { type AppProcess, makeCertificate, type Stack, startStack, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient } from '../client.ts'
import { stack as shared } from '../scenario.ts'

let stack: Stack
let key: string

beforeAll(async () => {
  stack = await startStack({ apis: 0, workers: 0, schedulers: 0, storage: 'disk' })
  key = (await stack.createKey()).key
})
afterAll(() => stack[Symbol.asyncDispose]())

const clientOf = ({ url }: AppProcess, withKey: string | undefined = key): Client =>
  createClient({ url, key: withKey, recordFile: shared.recordFile })

describe('an api that does not allow plain HTTP', () => {
  let api: AppProcess
  beforeAll(async () => {
    api = await stack.addApi({ env: { LATHE_ALLOW_HTTP: '0', LATHE_TRUSTED_PROXIES: '127.0.0.1/32' } })
  })

  it('refuses plain HTTP with 403 https_required, before anything else', async () => {
    const client = clientOf(api)
    for (const path of ['/v1/process/tasks', '/v1/query/formats', '/v1/nothing']) {
      expect(await client.refused('GET', path)).toMatchObject({ status: 403, errorCode: 'https_required' })
    }
  })

  it('still answers liveness and readiness probes', async () => {
    expect((await clientOf(api).get('/healthz')).status).toBe(200)
    expect((await clientOf(api).get('/readyz')).status).toBe(200)
  })

  it('accepts X-Forwarded-Proto from a trusted proxy', async () => {
    const { status, headers } = await clientOf(api).get('/v1/process/tasks', { 'x-forwarded-proto': 'https' })
    expect(status).toBe(200)
    expect(headers.get('strict-transport-security')).toContain('max-age')
  })
})

describe('an api without trusted proxies', () => {
  it('ignores X-Forwarded-Proto', async () => {
    const api = await stack.addApi({ env: { LATHE_ALLOW_HTTP: '0' } })
    const refused = await clientOf(api).refused('GET', '/v1/query/formats', {
      headers: { 'x-forwarded-proto': 'https' },
    })
    expect(refused.errorCode).toBe('https_required')
  })
})

describe('an api with a certificate', () => {
  it('accepts TLS only', async () => {
    // A container sees this folder, and its api is another user.
    const { cert, key: certKey } = await makeCertificate(stack.scratchDir)
    await chmod(certKey, 0o644)
    const api = await stack.addApi({ env: { LATHE_ALLOW_HTTP: '0', TLS_CERT_FILE: cert, TLS_KEY_FILE: certKey } })
    const options = { ca: await readFile(cert), headers: { authorization: `Bearer ${key}` } }
    const page = await new Promise((resolve, reject) => {
      get(`${api.url}/v1/process/tasks`, options, (response) => resolve(json(response))).on('error', reject)
    })
    expect(page).toMatchObject({ docs: [], totalDocs: 0 })
    await expect(fetch(api.url.replace('https:', 'http:'))).rejects.toThrow()
  })
})

describe('an api with a low rate limit', () => {
  let api: AppProcess
  beforeAll(async () => {
    api = await stack.addApi({ env: { RATE_LIMIT_PER_KEY: '5', RATE_LIMIT_PER_ADDRESS: '3' } })
  })

  it('refuses a key over its limit with 429 and Retry-After', async () => {
    const limited = clientOf(api, (await stack.createKey()).key)
    for (let left = 4; left >= 0; left--) {
      const { status, headers } = await limited.get('/v1/process/tasks')
      expect({ status, left: headers.get('ratelimit-remaining') }).toEqual({ status: 200, left: String(left) })
    }
    const { status, headers, body } = await limited.get<{ errorCode: string }>('/v1/process/tasks')
    expect({ status, errorCode: body.errorCode }).toEqual({ status: 429, errorCode: 'rate_limited' })
    expect(headers.get('ratelimit-limit')).toBe('5')
    expect(headers.get('ratelimit-remaining')).toBe('0')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('counts each key separately', async () => {
    expect((await clientOf(api, (await stack.createKey()).key).get('/v1/process/tasks')).status).toBe(200)
  })

  it('counts requests without a key by their address, and never refuses a probe', async () => {
    const anyone = createClient({ url: api.url, recordFile: shared.recordFile })
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await anyone.get('/v1/query/formats')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect((await anyone.get('/healthz')).status).toBe(200)
  })
})

describe('an api that is stopping', () => {
  /** The status and the body of a request on a connection of its own, which a listener that is closed refuses. */
  const askAnew = ({ url }: AppProcess, method: string, path: string, body = '') =>
    new Promise<{ status: number | undefined; answer: { id?: string } }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
      const sent = request(`${url}${path}`, { method, headers, agent: false }, async (response) =>
        resolve({ status: response.statusCode, answer: (await json(response)) as { id?: string } }),
      )
      sent.on('error', reject).end(body)
    })

  it('is no longer ready, but serves new connections until its listener closes', async () => {
    const [api, other] = [await stack.addApi({ env: { HTTP_DRAIN_S: '15' } }), await stack.addApi()]
    const isReady = async () => (await askAnew(api, 'GET', '/readyz')).status === 200
    expect(await isReady()).toBe(true)
    const stopped = api.stop('SIGTERM')
    await waitFor(async () => !(await isReady()), { withinMs: 10_000, everyMs: 20, what: 'an answer of 503' })
    const created: (string | undefined)[] = []
    for (let n = 0; n < 5; n++) {
      const { status, answer } = await askAnew(api, 'POST', '/v1/process/import/upload', '{}')
      expect(status).toBe(201)
      created.push(answer.id)
      expect((await askAnew(api, 'GET', `/v1/process/tasks/${answer.id}`)).status).toBe(200)
    }
    // None of these requests was served because the process had not noticed the signal yet.
    expect((await askAnew(api, 'GET', '/readyz')).status).toBe(503)
    expect(await stopped).toBe(0)
    await expect(askAnew(api, 'GET', '/readyz')).rejects.toThrow('ECONNREFUSED')
    for (const id of created) expect((await clientOf(other).task(id ?? '')).id).toBe(id)
  })
})

describe('an api whose storage is unavailable', () => {
  it('is alive, but not ready (503)', async () => {
    const api = await stack.addApi()
    const place = stack.storageEnv.STORAGE_DIR ?? ''
    await rm(place, { recursive: true })
    await writeFile(place, 'no folder any more')
    const isAway = async () => (await clientOf(api).get('/readyz')).status === 503
    await waitFor(isAway, { withinMs: 20_000, everyMs: 100, what: 'an answer of 503' })
    expect((await clientOf(api).get('/healthz')).status).toBe(200)
  })
})
