import { setTimeout as pause } from 'node:timers/promises'
import type { Job, Task } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { completeUpload } from './testing/new-user.ts'
import { startApi, type TestApi } from './testing/start-api.ts'

// Until Redis answers, each process counts for itself.
async function redisAnswers({ services }: TestApi): Promise<void> {
  await expect.poll(() => services.readiness().then(({ status }) => status), { timeout: 15_000 }).toBe('ready')
}

describe('new tasks per minute, five', () => {
  it.each([
    ['one below', 4, 201],
    ['the limit', 5, 201],
    ['one above', 6, 429],
  ])('%s [L-new-tasks]', async (_, count, status) => {
    await using api = await startApi({ env: { RATE_LIMIT_TASKS: '5' } })
    const { headers } = await api.createKey()
    await redisAnswers(api)
    const tasks = Object.fromEntries(
      Array.from({ length: count }, (_task, n) => [`t${n}`, { operation: 'import/upload' }]),
    )
    const answer = await api.app.inject({ method: 'POST', url: '/v1/process/jobs', headers, payload: { tasks } })
    expect(answer.statusCode).toBe(status)
  })
})

describe('the rate limit', () => {
  it('is per key, reported in headers, and answers 429 with Retry-After [S-err-08, S-lim-10, D-http-44, D-http-46, L-rate]', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_KEY: '3' } })
    const [one, other] = [await api.createKey(), await api.createKey()]
    const call = (headers: { authorization: string }) => api.app.inject({ url: '/v1/process/tasks', headers })
    await redisAnswers(api)
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

  it('counts tasks, whatever the number of requests they come in (S9)', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_TASKS: '5' } })
    const { headers } = await api.createKey()
    await redisAnswers(api)
    const create = async (count: number) => {
      const tasks = Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`t${n}`, { operation: 'import/upload' }]),
      )
      return api.app.inject({ method: 'POST', url: '/v1/process/jobs', headers, payload: { tasks } })
    }
    expect((await create(4)).statusCode).toBe(201)
    const refused = await create(2)
    expect(refused.json()).toMatchObject({ status: 429, errorCode: 'rate_limited' })
    expect(refused.json().msg).toContain('5 tasks per minute')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('is per address without a key, and ignores X-Forwarded-For of untrusted clients [D-http-45, L-rate]', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '2' } })
    const call = (remoteAddress: string, more = {}) =>
      api.app.inject({ url: '/v1/query/formats', remoteAddress, headers: more })
    await call('192.0.2.1')
    await call('192.0.2.1', { 'x-forwarded-for': '198.51.100.1' })
    expect((await call('192.0.2.1', { 'x-forwarded-for': '198.51.100.2' })).statusCode).toBe(429)
    expect((await call('192.0.2.2')).statusCode).toBe(200)
  })

  it('uses the client address behind a trusted proxy', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '1', LATHE_TRUSTED_PROXIES: '10.0.0.0/8' } })
    const call = (from: string) =>
      api.app.inject({ url: '/v1/query/formats', remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': from } })
    expect((await call('198.51.100.1')).statusCode).toBe(200)
    expect((await call('198.51.100.2')).statusCode).toBe(200)
    expect((await call('198.51.100.1')).statusCode).toBe(429)
  })

  it('counts invalid keys toward the limit of their address', async () => {
    const { formatKey } = await import('@lathe/accounts')
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '3' } })
    await redisAnswers(api)
    const guess = async () => {
      const key = formatKey((below) => Math.floor(Math.random() * below))
      return (await api.app.inject({ url: '/v1/process/tasks', headers: { authorization: `Bearer ${key}` } }))
        .statusCode
    }
    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([401, 401, 401, 429])
  })

  it('S11: an address over its limit has invented keys refused before anything is counted or asked for them', async () => {
    const { formatKey } = await import('@lathe/accounts')
    let asked = 0
    let countedKeys = 0
    await using api = await startApi({
      env: { RATE_LIMIT_PER_ADDRESS: '3' },
      replace: ({ accounts, limiter }) => ({
        accounts: {
          findCaller(key) {
            asked += 1
            return accounts.findCaller(key)
          },
        },
        limiter: {
          ...limiter,
          take(by, id) {
            if (by === 'key') countedKeys += 1
            return limiter.take(by, id)
          },
        },
      }),
    })
    await redisAnswers(api)
    const call = async (key: string) =>
      (await api.app.inject({ url: '/v1/process/tasks', headers: { authorization: `Bearer ${key}` } })).statusCode
    const invented = () => formatKey((below) => Math.floor(Math.random() * below))
    const { key } = await api.createKey()
    expect(await call(key)).toBe(200)
    ;[asked, countedKeys] = [0, 0]
    const statuses = await Promise.all(Array.from({ length: 20 }, () => call(invented())))
    expect(statuses.filter((status) => status === 401)).toHaveLength(3)
    expect(statuses.filter((status) => status === 429)).toHaveLength(17)
    expect([asked, countedKeys]).toEqual([3, 0])
    // A key that was already in use is not affected by other clients at the same address.
    expect(await call(key)).toBe(200)
  })

  it('S11: counts the addresses of one IPv6 network as one', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '2' } })
    const call = async (remoteAddress: string) =>
      (await api.app.inject({ url: '/v1/query/formats', remoteAddress })).statusCode
    expect([await call('2001:db8:1:2::1'), await call('2001:db8:1:2:ffff::9')]).toEqual([200, 200])
    expect(await call('2001:db8:1:2:1:2:3:4')).toBe(429)
    expect(await call('2001:db8:1:3::1')).toBe(200)
  })

  it('a backend that sends, converts and downloads 20 files per second stays within the default limits', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_KEY: '300', RATE_LIMIT_PER_ADDRESS: '120' } })
    const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const { headers } = await api.createKey()
    const refused: string[] = []
    const ask = async (url: string, init?: RequestInit) => {
      const response = await fetch(url.replace('https://lathe.test', base), init)
      if (response.status === 429) refused.push(`${url} ${await response.clone().text()}`)
      return response
    }
    const tasks = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        [`form${n}`, { operation: 'import/upload' }],
        [`pdf${n}`, { operation: 'convert', input: `form${n}`, output_format: 'pdf' }],
      ]).flat(),
    )
    for (let second = 0; second < 4; second += 1) {
      const start = performance.now()
      const created = await ask(`${base}/v1/process/jobs`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ tasks }),
      })
      const job = (await created.json()) as Job
      const forms = (job.tasks ?? []).flatMap(({ result }) => result.form ?? [])
      expect(forms).toHaveLength(20)
      await Promise.all(
        forms.map(async ({ url, parameters }) => {
          const body = new FormData()
          for (const [name, value] of Object.entries(parameters)) body.append(name, value)
          body.append('file', new Blob(['text']), 'a.txt')
          const sent = await ask(url, { method: 'POST', body })
          const { result } = (await sent.json()) as Task
          expect(await (await ask(result?.url ?? base)).text()).toBe('text')
        }),
      )
      await pause(Math.max(0, 1000 - (performance.now() - start)))
    }
    expect(refused).toEqual([])
  })

  it('counts forms and links for their owner, and invalid links for the address', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '2', RATE_LIMIT_TRANSFERS: '3' } })
    const { headers } = await api.createKey()
    const created = await api.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers })
    const { id } = created.json<Task>()
    await completeUpload(api, created.json<Task>())
    const shown = (await api.app.inject({ url: `/v1/process/tasks/${id}`, headers })).json<Task>()
    const link = (shown.result.url ?? '').replace('https://lathe.test', '')
    const head = async (url: string) => (await api.app.inject({ method: 'HEAD', url })).statusCode
    expect([await head(link), await head(link), await head(link), await head(link)]).toEqual([200, 200, 200, 429])
    const altered = link.replace(/signature=(.)/, (_, first) => `signature=${first === '_' ? '-' : '_'}`)
    expect([await head(altered), await head(altered), await head(altered)]).toEqual([404, 404, 429])
  })

  it('S2: a link that is used over the limit of its owner costs no query', async () => {
    let queries = 0
    await using api = await startApi({
      env: { RATE_LIMIT_TRANSFERS: '3' },
      replace: ({ database }) => ({
        database: Object.create(database, {
          pool: {
            value: {
              query: (...args: Parameters<typeof database.pool.query>) => {
                queries += 1
                return database.pool.query(...args)
              },
            },
          },
        }),
      }),
    })
    await redisAnswers(api)
    const { headers } = await api.createKey()
    const created = (await api.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers })).json<Task>()
    await completeUpload(api, created)
    const shown = await api.app.inject({ url: `/v1/process/tasks/${created.id}`, headers })
    const link = (shown.json<Task>().result.url ?? '').replace('https://lathe.test', '')
    const head = async () => (await api.app.inject({ method: 'HEAD', url: link })).statusCode
    expect([await head(), await head(), await head()]).toEqual([200, 200, 200])
    queries = 0
    expect([await head(), await head(), await head()]).toEqual([429, 429, 429])
    expect(queries).toBe(0)
  })

  it('is checked before the key, so that guesses of keys are limited [D-http-04]', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '1' } })
    const call = async () => (await api.app.inject('/v1/process/tasks')).statusCode
    expect([await call(), await call()]).toEqual([401, 429])
  })

  it('does not apply to probes', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '1' } })
    for (let n = 0; n < 5; n++) expect((await api.app.inject('/healthz')).statusCode).toBe(200)
  })

  it('continues in each process while Redis is down, and the service is degraded, not down', async () => {
    await using api = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '2', REDIS_URL: 'redis://127.0.0.1:1' } })
    const call = async () => (await api.app.inject('/v1/query/formats')).statusCode
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429])
    const ready = await api.app.inject('/readyz')
    expect(ready.statusCode).toBe(200)
    expect(ready.json()).toMatchObject({ status: 'degraded', parts: { redis: 'down' } })
  })
})
