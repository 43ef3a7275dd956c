import type { Job, JobTokenList, JobTokenWithText, Task } from '@lathe/contract'
import { bytes, forgetJobTokens } from '@lathe/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { completeUpload } from '../testing/new-user.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import { createJobTokens } from './job-tokens.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api[Symbol.asyncDispose]())

let owner: Awaited<ReturnType<TestApi['createKey']>>
let job: Job
beforeEach(async () => {
  owner = await api.createKey()
  job = await newJob()
})

type Method = 'GET' | 'POST' | 'DELETE'

async function call<T>(by: string, method: Method, url: string, payload?: object, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${by}`, ...more }
  const answer = await api.app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: (answer.body && answer.json()) as T, text: answer.body }
}

async function newJob(): Promise<Job> {
  const tasks = {
    photo: { operation: 'import/upload' },
    remote: { operation: 'import/url', url: 'https://private.example/x.jpg' },
    webp: { operation: 'convert', input: 'photo', output_format: 'webp' },
  }
  return (await call<Job>(owner.key, 'POST', '/v1/process/jobs', { tag: 'internal', tasks })).body
}

const pathOf = ({ id }: Job) => `/v1/process/jobs/${id}`
async function newToken(body: object = {}, more = {}): Promise<JobTokenWithText> {
  return (await call<JobTokenWithText>(owner.key, 'POST', `${pathOf(job)}/tokens`, body, more)).body
}

describe('a job token', () => {
  it('reads its job and its tasks, with links to their files, and only shared fields [D-http-74]', async () => {
    const { token, ...shown } = await newToken({ name: 'for Ada' })
    expect(shown).toMatchObject({ job: job.id, name: 'for Ada', revokedAt: null, last4: token?.slice(-4) })
    await completeUpload(api, job.tasks?.[0] as Task)
    const seen = await call<Job>(token ?? '', 'GET', pathOf(job))
    expect(seen.status).toBe(200)
    expect(seen.body.tasks?.[0]?.result.files?.[0]?.url).toMatch(/^https:/)
    expect(seen.body.tasks?.[2]?.payload).toEqual({ output_format: 'webp' })
    expect(seen.text).not.toMatch(/private\.example|internal/)
    const task = await call<Task>(token ?? '', 'GET', `/v1/process/tasks/${job.tasks?.[1]?.id}?include=job`)
    expect(task).toMatchObject({ status: 200, body: { payload: {}, jobDetails: { tag: null } } })
  })

  it('shows no form of an open upload task [D-http-75]', async () => {
    const { token } = await newToken()
    expect((await call<Job>(token ?? '', 'GET', pathOf(job))).body.tasks?.[0]?.result).toEqual({})
    expect((await call<Job>(owner.key, 'GET', pathOf(job))).body.tasks?.[0]?.result).toHaveProperty('form')
  })

  it('follows the events of its job, as they may be shared [D-http-74]', async () => {
    const { token } = await newToken()
    for (const { id } of job.tasks ?? []) await call(owner.key, 'POST', `/v1/process/tasks/${id}/cancel`)
    const headers = { authorization: `Bearer ${token}` }
    const { statusCode, body } = await api.app.inject({ url: `${pathOf(job)}/events`, headers })
    expect(statusCode).toBe(200)
    expect(body).toContain('event: job.failed')
    expect(body).not.toMatch(/private\.example|internal|"form"/)
    expect((await api.app.inject({ url: `/v1/process/tasks/${job.tasks?.[1]?.id}/events`, headers })).statusCode).toBe(
      200,
    )
  })

  it('does not find other jobs and tasks of its owner [D-http-74]', async () => {
    const { token = '' } = await newToken()
    const other = await newJob()
    const lone = await call<Task>(owner.key, 'POST', '/v1/process/import/upload')
    for (const url of [
      pathOf(other),
      `${pathOf(other)}/events`,
      `/v1/process/tasks/${other.tasks?.[0]?.id}`,
      `/v1/process/tasks/${other.tasks?.[0]?.id}/events`,
      `/v1/process/tasks/${lone.body.id}`,
      `/v1/process/tasks/${'a'.repeat(24)}`,
    ]) {
      expect((await call(token ?? '', 'GET', url)).status).toBe(404)
    }
  })

  it('is refused everywhere else, and changes nothing [D-http-74]', async () => {
    const { token } = await newToken()
    for (const [method, url] of [
      ['GET', '/v1/process/jobs'],
      ['GET', '/v1/process/tasks'],
      ['GET', `${pathOf(job)}/tokens`],
      ['POST', `${pathOf(job)}/tokens`],
      ['POST', `${pathOf(job)}/run-again`],
      ['DELETE', pathOf(job)],
      ['POST', `/v1/process/tasks/${job.tasks?.[0]?.id}/cancel`],
      ['GET', '/v1/account'],
      ['GET', '/v1/webhooks'],
    ] as const) {
      expect((await call(token ?? '', method, url)).status).toBe(403)
    }
    expect((await call<Job>(owner.key, 'GET', pathOf(job))).body.status).toBe('processing')
  })

  it('expires at its time, and is deleted [D-http-76]', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const { id, token } = await newToken({ expiresAt })
    await api.services.database.pool.query(`update job_tokens set expires_at = now() - interval '1 s' where id = $1`, [
      bytes(id),
    ])
    expect((await call(token ?? '', 'GET', pathOf(job))).status).toBe(401)
    expect(await forgetJobTokens(api.services.database.pool, new Date())).toBe(1)
  })

  it('becomes invalid when it is revoked, and is listed as such without its text [D-http-76]', async () => {
    const [first, second] = [await newToken(), await newToken()]
    expect((await call(owner.key, 'DELETE', `${pathOf(job)}/tokens/${first.id}`)).status).toBe(200)
    expect((await call(first.token ?? '', 'GET', pathOf(job))).status).toBe(401)
    expect((await call(second.token ?? '', 'GET', pathOf(job))).status).toBe(200)
    expect((await call(owner.key, 'DELETE', `${pathOf(job)}/tokens/${first.id}`)).status).toBe(404)
    const { body, text } = await call<JobTokenList>(owner.key, 'GET', `${pathOf(job)}/tokens`)
    expect(body.tokens.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(body.tokens[1]?.revokedAt).not.toBeNull()
    expect(text).not.toContain(first.token?.slice(10, 40))
  })

  it('becomes invalid with the links of its owner when an API key is revoked [D-http-76]', async () => {
    const { token } = await newToken()
    const { keyId } = await api.addKey(owner.userId)
    await api.revokeKey(keyId, { keepLinks: true })
    expect((await call(token ?? '', 'GET', pathOf(job))).status).toBe(200)
    await api.revokeKey((await api.addKey(owner.userId)).keyId)
    // As seen by a process that has not cached the token.
    expect(await createJobTokens(api.services).find(token ?? '')).toBeUndefined()
  })

  it('is deleted with its job', async () => {
    const { token } = await newToken()
    await call(owner.key, 'DELETE', pathOf(job))
    expect((await call(token ?? '', 'GET', pathOf(job))).status).toBe(404)
  })

  it('is made once by a repeated request, shown once, and at most twenty times [D-http-76]', async () => {
    const again = { 'idempotency-key': 'a-token' }
    const [first, second] = [await newToken({}, again), await newToken({}, again)]
    expect(second).toMatchObject({ id: first.id, token: null })
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => call(owner.key, 'POST', `${pathOf(job)}/tokens`)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
  })

  it('of somebody else’s job can be neither made, listed nor revoked', async () => {
    const { id } = await newToken()
    const { key } = await api.createKey()
    expect((await call(key, 'POST', `${pathOf(job)}/tokens`)).status).toBe(404)
    expect((await call(key, 'GET', `${pathOf(job)}/tokens`)).status).toBe(404)
    expect((await call(key, 'DELETE', `${pathOf(job)}/tokens/${id}`)).status).toBe(404)
  })

  it.each(['lathe_job_', `lathe_job_${'a'.repeat(43)}`, `lathe_job_${'a'.repeat(42)}`])(
    'like %s is unknown',
    async (text) => {
      expect((await call(text, 'GET', pathOf(job))).status).toBe(401)
    },
  )
})
