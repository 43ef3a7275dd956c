import { describe, expect, it } from 'vitest'
import { startApi } from './testing/start-api.ts'

describe('the rate limit', () => {
  it('is per key, told in headers, and answers 429 with Retry-After', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_KEY: '3' } })
    const [one, other] = [await api.createKey(), await api.createKey()]
    const call = (headers: { authorization: string }) => api.app.inject({ url: '/v1/process/tasks', headers })
    await expect.poll(() => api.services.readiness().then(({ status }) => status)).toBe('ready')
    const first = await call(one.headers)
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' })
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(0)
    await call(one.headers)
    await call(one.headers)
    const refused = await call(one.headers)
    expect(refused.json()).toMatchObject({ status: 429, errorCode: 'rate_limited' })
    expect(refused.headers).toMatchObject({
      'ratelimit-remaining': '0',
      'retry-after': refused.headers['ratelimit-reset'],
    })
    expect((await call(other.headers)).statusCode).toBe(200)
  })

  it('is per address where there is no key, whatever the forwarded address of a stranger says', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '2' } })
    const call = (remoteAddress: string, more = {}) =>
      api.app.inject({ url: '/v1/query/formats', remoteAddress, headers: more })
    await call('192.0.2.1')
    await call('192.0.2.1', { 'x-forwarded-for': '198.51.100.1' })
    expect((await call('192.0.2.1', { 'x-forwarded-for': '198.51.100.2' })).statusCode).toBe(429)
    expect((await call('192.0.2.2')).statusCode).toBe(200)
  })

  it('knows the address behind a trusted proxy', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '1', LATHE_TRUSTED_PROXIES: '10.0.0.0/8' } })
    const call = (from: string) =>
      api.app.inject({ url: '/v1/query/formats', remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': from } })
    expect((await call('198.51.100.1')).statusCode).toBe(200)
    expect((await call('198.51.100.2')).statusCode).toBe(200)
    expect((await call('198.51.100.1')).statusCode).toBe(429)
  })

  it('holds invented keys against the address they come from', async () => {
    const { formatKey } = await import('@lathe/accounts')
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '3' } })
    const guess = async () => {
      const key = formatKey((below) => Math.floor(Math.random() * below))
      return (await api.app.inject({ url: '/v1/process/tasks', headers: { authorization: `Bearer ${key}` } }))
        .statusCode
    }
    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([401, 401, 401, 429])
  })

  it('comes before the key, so that keys cannot be tried without end', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '1' } })
    const call = async () => (await api.app.inject('/v1/process/tasks')).statusCode
    expect([await call(), await call()]).toEqual([401, 429])
  })

  it('leaves probes alone', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '1' } })
    for (let n = 0; n < 5; n++) expect((await api.app.inject('/healthz')).statusCode).toBe(200)
  })

  it('goes on in each process while Redis is away, and the service is degraded, not down', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '2', REDIS_URL: 'redis://127.0.0.1:1' } })
    const call = async () => (await api.app.inject('/v1/query/formats')).statusCode
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429])
    const ready = await api.app.inject('/readyz')
    expect(ready.statusCode).toBe(200)
    expect(ready.json()).toMatchObject({ status: 'degraded', parts: { redis: 'down' } })
  })
})
