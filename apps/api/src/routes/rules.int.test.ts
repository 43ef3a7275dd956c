import type { ErrorBody, FormatList, Job, Task } from '@lathe/contract'
import { usualScopes } from '@lathe/contract'
import { createTestClock } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { completeUpload, failedTask, newUser } from '../testing/new-user.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

let api: TestApi

beforeAll(async () => {
  api = await startApi()
})

afterAll(() => api[Symbol.asyncDispose]())

const task = (id: string) => `/v1/process/tasks/${id}`
const job = (id: string) => `/v1/process/jobs/${id}`
const unknownId = 'f'.repeat(24)
const webp = (input: string) => ({ input, output_format: 'webp' })

describe('a job', () => {
  it('shows a job with its tasks [S-jobs-16]', async () => {
    const user = await newUser(api)
    const { body: made } = await user.post<Job>('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    expect((await user.get<Job>(job(made.id))).body).toMatchObject({
      id: made.id,
      tasks: [{ name: 'a', job: made.id }],
    })
  })

  it('answers 400 for a malformed id and 404 for one that does not exist or belongs to another [S-jobs-17, S-jobs-18, S-jobs-21]', async () => {
    const [user, other] = [await newUser(api), await newUser(api)]
    const { body: made } = await user.post<Job>('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    expect((await user.get(job('xyz'))).status).toBe(400)
    expect((await user.remove(job('xyz'))).status).toBe(400)
    for (const [who, id] of [[user, unknownId] as const, [other, made.id] as const]) {
      expect((await who.get(job(id))).status).toBe(404)
      expect((await who.remove(job(id))).status).toBe(404)
    }
    expect((await user.get(job(made.id))).status).toBe(200)
  })

  it('is hidden at 24 hours like its tasks [S-lim-07]', async () => {
    const clock = createTestClock(new Date())
    await using later = await startApi({ replace: () => ({ clock }) })
    const { headers } = await later.createKey()
    const tasks = { a: { operation: 'import/upload' } }
    const made = await later.app.inject({ method: 'POST', url: '/v1/process/jobs', headers, payload: { tasks } })
    const { id, createdAt, tasks: [first] = [] } = made.json<Job>()
    const statuses = () =>
      Promise.all(
        [job(id), task(first?.id ?? '')].map(async (url) => (await later.app.inject({ url, headers })).statusCode),
      )
    clock.advance(Date.parse(createdAt) + 24 * 3_600_000 - 1 - clock.now().getTime())
    expect(await statuses()).toEqual([200, 200])
    clock.advance(1)
    expect(await statuses()).toEqual([404, 404])
    expect((await later.app.inject({ url: '/v1/process/jobs', headers })).json()).toMatchObject({ totalDocs: 0 })
  })

  it('with Prefer: wait holds the answer of a job too [D-http-58]', async () => {
    const user = await newUser(api)
    const { body: made } = await user.post<Job>('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    const held = user.get<Job>(job(made.id), { prefer: 'wait=30' })
    await completeUpload(api, made.tasks?.[0] as Task)
    expect((await held).body.status).toBe('completed')
  })
})

describe('canceling', () => {
  it('accepts a created and a processing task [S-tasks-17, S-tasks-18]', async () => {
    const user = await newUser(api)
    const waiting = await user.upload()
    const { body: created } = await user.post('/v1/process/convert', webp(waiting.id))
    expect(created.status).toBe('created')
    for (const { id } of [created, waiting]) {
      expect(await user.post(`${task(id)}/cancel`)).toMatchObject({ status: 200, body: { id, status: 'canceled' } })
    }
  })

  it('refuses a completed and a failed task with 400 [D-state-20]', async () => {
    const user = await newUser(api)
    const done = await user.upload()
    await completeUpload(api, done)
    const failed = await failedTask(user)
    for (const { id } of [done, failed]) {
      const refusal = await user.post<ErrorBody>(`${task(id)}/cancel`)
      expect(refusal).toMatchObject({ status: 400, body: { errorCode: 'task_not_cancelable' } })
    }
  })
})

describe('deleting', () => {
  it('accepts a task of any status [S-state-08]', async () => {
    const user = await newUser(api)
    const [open, done, canceled] = [await user.upload(), await user.upload(), await user.upload()]
    await completeUpload(api, done)
    await user.post(`${task(canceled.id)}/cancel`)
    const failed = await failedTask(user)
    const { body: created } = await user.post('/v1/process/convert', webp((await user.upload()).id))
    for (const { id } of [open, done, canceled, failed, created]) {
      expect((await user.remove(task(id))).status).toBe(200)
      expect((await user.get(task(id))).status).toBe(404)
    }
  })

  it('answers 404 for a task that does not exist, is deleted already or belongs to another [S-tasks-15, D-http-32]', async () => {
    const [user, other] = [await newUser(api), await newUser(api)]
    const { id } = await user.upload()
    expect((await user.remove(task(unknownId))).status).toBe(404)
    expect((await other.remove(task(id))).status).toBe(404)
    expect((await user.remove(task(id))).status).toBe(200)
    expect((await user.remove(task(id))).status).toBe(404)
  })
})

describe('a task', () => {
  const expired = async (id: string) =>
    void (await api.services.database.pool.query(
      `update tasks set created_at = now() - interval '4 hours 1 second' where id = $1`,
      [`\\x${id}`],
    ))

  it('naming an input that has failed is answered 201 and is failed [D-state-08]', async () => {
    const user = await newUser(api)
    const { id } = await failedTask(user)
    const { status, body } = await user.post('/v1/process/export/url', { input: [id] })
    expect([status, body.status, body.result.reason]).toEqual([201, 'failed', 'input_failed'])
  })

  it('that fails as it is created fails its job, which says so in msg', async () => {
    const user = await newUser(api)
    const { id } = await failedTask(user)
    const tasks = { link: { operation: 'export/url', input: [id] } }
    const { status, body } = await user.post<Job>('/v1/process/jobs', { tasks })
    const result = { errorCode: 'task_failed', msg: 'A task of this job failed. See its result for the cause.' }
    expect([status, body.status, body.result]).toEqual([201, 'failed', result])
    expect((await user.get<Job>(`/v1/process/jobs/${body.id}`)).body.result).toEqual(result)
  })

  it('naming an input whose files have expired is answered 201 and is failed [D-state-09]', async () => {
    const user = await newUser(api)
    const source = await user.upload()
    await completeUpload(api, source)
    await expired(source.id)
    const { status, body } = await user.post('/v1/process/convert', webp(source.id))
    expect([status, body.status]).toEqual([201, 'failed'])
    expect(body.result).toMatchObject({ errorCode: 'processing_failed', reason: 'input_expired' })
  })

  it('may name an export as input, and the same task twice (C10) [D-op-10]', async () => {
    const user = await newUser(api)
    const { body: link } = await user.post('/v1/process/export/url', { input: [(await user.upload()).id] })
    const { status, body } = await user.post('/v1/process/merge', { input: [link.id, link.id], output_format: 'pdf' })
    expect([status, body.status, body.dependsOn]).toEqual([201, 'created', [link.id, link.id]])
  })
})

describe('queries', () => {
  const ask = async (url: string) => await api.app.inject(url)

  it('list every format of every operation, sorted [S-query-02]', async () => {
    const { formats } = (await ask('/v1/query/formats')).json<FormatList>()
    const all = formats.map(({ ext }) => ext)
    expect(all).toEqual([...new Set(all)].sort())
    expect(all).toEqual(expect.arrayContaining(['avif', 'gif', 'jpg', 'pdf', 'png', 'svg', 'tiff', 'webp']))
  })

  const extensions = async (path: string) => {
    const response = await ask(`/v1/query/formats${path}`)
    expect(response.statusCode, path).toBe(200)
    return response.json<FormatList>().formats.map(({ ext }) => ext)
  }

  it.each([
    ['convert', '&output_format=pdf', '?output_format=pdf'],
    ['merge', '&output_format=pdf', '?output_format=pdf'],
    ['compress', '', ''],
    ['crop', '', ''],
    ['trim', '', ''],
  ])(
    'of %s answer 200 without a key and list exactly the inputs it has options for [S-query-04, S-query-05, S-query-06, S-query-07]',
    async (operation, pair, side) => {
      const possible: string[] = []
      for (const ext of await extensions('')) {
        const { statusCode } = await ask(`/v1/query/options/${operation}?input_format=${ext}${pair}`)
        if (statusCode === 200) possible.push(ext)
        else expect(statusCode, ext).toBe(400)
      }
      expect(possible.length).toBeGreaterThan(0)
      expect(await extensions(`/${operation}${side}`)).toEqual(possible)
    },
  )

  it('of merge know two outputs', async () => {
    expect(await extensions('/merge?input_format=*')).toEqual(['gif', 'pdf'])
  })

  it('about options answer without a key [D-op-54]', async () => {
    for (const operation of ['compress', 'crop', 'merge']) {
      const response = await ask(`/v1/query/options/${operation}?input_format=png&output_format=${pair[operation]}`)
      expect(response.statusCode, operation).toBe(200)
      expect(response.json()).toMatchObject({ operation, sourceExt: 'png' })
    }
    expect((await ask('/v1/query/options/trim?input_format=png&output_format=png')).statusCode).toBe(400)
  })

  const pair: Record<string, string> = { compress: 'png', crop: 'png', merge: 'pdf' }
})

describe('API keys', () => {
  it('are valid however old they are, until they are revoked [S-auth-02]', async () => {
    const { headers, keyId } = await api.createKey()
    await api.services.database.pool.query(
      `update api_keys set created_at = now() - interval '10 years' where id = $1`,
      [`\\x${keyId}`],
    )
    expect((await api.app.inject({ url: '/v1/process/tasks', headers })).statusCode).toBe(200)
    await api.revokeKey(keyId)
    await expect
      .poll(async () => (await api.app.inject({ url: '/v1/process/tasks', headers })).statusCode, { timeout: 6000 })
      .toBe(401)
  })

  it('have scopes that are the five of the interface [D-http-62]', () => {
    expect([...usualScopes].sort()).toEqual([
      'account.read',
      'task.read',
      'task.write',
      'webhook.read',
      'webhook.write',
    ])
  })
})

describe('the limits of a fresh installation', () => {
  it('are 300 a minute for a key and 120 for an address [D-http-47, L-rate]', () => {
    const { http } = readConfig({
      DATABASE_URL: 'postgres://localhost/lathe',
      LATHE_SECRET: 'a secret for tests that is long enough',
      STORAGE_KIND: 'disk',
      STORAGE_DIR: '/tmp/lathe',
    })
    expect([http.perKey, http.perAddress]).toEqual([300, 120])
  })
})

describe('endpoints', () => {
  it('check Accept before the rate limit [D-http-03]', async () => {
    await using busy = await startApi({ env: { RATE_LIMIT_PER_ADDRESS: '1' } })
    const ask = async (accept: string) =>
      (await busy.app.inject({ url: '/v1/query/formats', headers: { accept } })).statusCode
    expect([await ask('*/*'), await ask('*/*'), await ask('text/html')]).toEqual([200, 429, 406])
  })

  it('send no Deprecation or Sunset header while nothing is deprecated [D-http-64]', async () => {
    const { headers } = await api.createKey()
    for (const url of ['/v1/query/formats', '/v1/process/tasks', '/v1/process/jobs']) {
      const response = await api.app.inject({ url, headers })
      expect(response.statusCode).toBe(200)
      expect([response.headers.deprecation, response.headers.sunset]).toEqual([undefined, undefined])
    }
  })
})
