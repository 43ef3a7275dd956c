import { scopes } from '@lathe/accounts'
import type { ErrorBody, FormatList, Job, Page, Task } from '@lathe/contract'
import { createTestClock } from '@lathe/testing'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

let api: TestApi

beforeAll(async () => {
  api = await startApi()
})

afterAll(() => api[Symbol.asyncDispose]())

interface Answer<T> {
  readonly status: number
  readonly body: T
}

interface User {
  get<T = Task>(url: string, headers?: Record<string, string>): Promise<Answer<T>>
  post<T = Task>(url: string, payload?: object): Promise<Answer<T>>
  remove(url: string): Promise<Answer<ErrorBody | undefined>>
  upload(): Promise<Task>
}

/** A user of a test's own, so that lists hold what the test made and nothing else. */
async function newUser(): Promise<User> {
  const { headers } = await api.createKey()
  async function call<T>(options: InjectOptions): Promise<Answer<T>> {
    const response = await api.app.inject({ ...options, headers: { ...headers, ...options.headers } })
    return { status: response.statusCode, body: (response.body === '' ? undefined : response.json()) as T }
  }
  const user: User = {
    get: (url, more = {}) => call({ url, headers: more }),
    post: (url, payload = {}) => call({ method: 'POST', url, payload }),
    remove: (url) => call({ method: 'DELETE', url }),
    upload: async () => (await user.post('/v1/process/import/upload')).body,
  }
  return user
}

const task = (id: string) => `/v1/process/tasks/${id}`
const job = (id: string) => `/v1/process/jobs/${id}`
const unknownId = 'f'.repeat(24)
const webp = (input: string) => ({ input, output_format: 'webp' })

/** Completes an upload as if its file had come. */
async function complete({ id }: Task): Promise<void> {
  const file = { n: 0, key: `k/${id}`, filename: 'a.jpg', format: 'jpg', size: 3, sha256: 'ab'.repeat(32), crc32: 1 }
  expect(await api.services.orchestrator.completeUpload(id, file)).toBeDefined()
}

async function failedTask(user: User): Promise<Task> {
  const source = await user.upload()
  const { body: child } = await user.post('/v1/process/convert', webp(source.id))
  await user.post(`${task(source.id)}/cancel`)
  return child
}

describe('the list of tasks', () => {
  const list = async (user: User, query: string) => (await user.get<Page<Task>>(`/v1/process/tasks?${query}`)).body
  const idsOf = ({ docs }: Page<Task>) => docs.map(({ id }) => id)

  it('shows payload, result and status of each task', async () => {
    const user = await newUser()
    await user.post('/v1/process/import/url', { url: 'https://a.example/x.jpg' })
    const { docs } = await list(user, '')
    expect(docs).toEqual([
      expect.objectContaining({ payload: { url: 'https://a.example/x.jpg' }, result: {}, status: 'created' }),
    ])
  })

  it('narrows to a status', async () => {
    const user = await newUser()
    const [open, done, gone] = [await user.upload(), await user.upload(), await user.upload()]
    await complete(done)
    await user.remove(task(gone.id))
    const failed = await failedTask(user)
    expect(idsOf(await list(user, 'status=processing'))).toEqual([open.id])
    expect(idsOf(await list(user, 'status=completed'))).toEqual([done.id])
    expect(idsOf(await list(user, 'status=deleted'))).toEqual([gone.id])
    expect(idsOf(await list(user, 'status=failed'))).toEqual([failed.id])
    expect(idsOf(await list(user, 'status=canceled'))).toEqual(failed.dependsOn)
    expect(idsOf(await list(user, 'status=created'))).toEqual([])
    expect(idsOf(await list(user, ''))).not.toContain(gone.id)
  })

  it('narrows to an operation', async () => {
    const user = await newUser()
    const source = await user.upload()
    const { body: child } = await user.post('/v1/process/convert', webp(source.id))
    expect(idsOf(await list(user, 'operation=convert'))).toEqual([child.id])
    expect(idsOf(await list(user, 'operation=import/upload'))).toEqual([source.id])
  })

  it('narrows to the tasks of a job', async () => {
    const user = await newUser()
    await user.upload()
    const tasks = { a: { operation: 'import/upload' }, b: { operation: 'import/upload' } }
    const { body: made } = await user.post<Job>('/v1/process/jobs', { tasks })
    expect(idsOf(await list(user, `job=${made.id}`)).sort()).toEqual(made.tasks?.map(({ id }) => id).sort())
  })

  it('is empty for a job that does not exist and for an operation nobody knows', async () => {
    const user = await newUser()
    await user.upload()
    const empty = { docs: [], totalDocs: 0, totalPages: 1, pagingCounter: 1, page: 1 }
    expect(await list(user, `job=${unknownId}`)).toMatchObject(empty)
    expect(await list(user, 'operation=import/fax')).toMatchObject(empty)
  })

  it('counts exactly what matches, on every page, also past the end', async () => {
    const user = await newUser()
    for (let n = 0; n < 5; n += 1) await user.upload()
    await user.post('/v1/process/import/url', { url: 'https://a.example/x.jpg' })
    const query = 'operation=import/upload&per_page=2'
    expect(await list(user, query)).toMatchObject({ totalDocs: 5, totalPages: 3, pagingCounter: 1, hasNextPage: true })
    expect(await list(user, `${query}&page=3`)).toMatchObject({ totalDocs: 5, pagingCounter: 5, nextPage: null })
    expect(await list(user, `${query}&page=9`)).toMatchObject({ totalDocs: 5, docs: [] })
  })
})

describe('the list of jobs', () => {
  const list = async (user: User, query: string) => (await user.get<Page<Job>>(`/v1/process/jobs?${query}`)).body
  const make = async (user: User, tag: string) =>
    (await user.post<Job>('/v1/process/jobs', { tag, tasks: { a: { operation: 'import/upload' } } })).body

  it('holds the jobs of the caller alone, narrowed by status, in pages', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const [first, second] = [await make(user, 'x'), await make(user, 'y')]
    await make(other, 'x')
    await user.post(`${task(first.tasks?.[0]?.id ?? '')}/cancel`)
    expect((await list(user, '')).docs.map(({ id }) => id)).toEqual([second.id, first.id])
    expect((await list(user, 'status=failed')).docs.map(({ id }) => id)).toEqual([first.id])
    expect((await list(user, 'status=processing')).docs.map(({ id }) => id)).toEqual([second.id])
    expect(await list(user, 'per_page=1&page=2')).toMatchObject({ totalDocs: 2, page: 2, docs: [{ id: first.id }] })
  })

  it('takes a tag exactly', async () => {
    const user = await newUser()
    const { id } = await make(user, 'holiday')
    await make(user, 'holiday-2')
    expect((await list(user, 'tag=holiday')).docs.map((found) => found.id)).toEqual([id])
    expect((await list(user, 'tag=holi')).docs).toEqual([])
    expect((await list(user, 'tag=Holiday')).docs).toEqual([])
  })
})

describe('a job', () => {
  it('shows a job with its tasks', async () => {
    const user = await newUser()
    const { body: made } = await user.post<Job>('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    expect((await user.get<Job>(job(made.id))).body).toMatchObject({
      id: made.id,
      tasks: [{ name: 'a', job: made.id }],
    })
  })

  it('answers 400 for a malformed id and 404 for one that does not exist or belongs to another', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const { body: made } = await user.post<Job>('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    expect((await user.get(job('xyz'))).status).toBe(400)
    expect((await user.remove(job('xyz'))).status).toBe(400)
    for (const [who, id] of [[user, unknownId] as const, [other, made.id] as const]) {
      expect((await who.get(job(id))).status).toBe(404)
      expect((await who.remove(job(id))).status).toBe(404)
    }
    expect((await user.get(job(made.id))).status).toBe(200)
  })

  it('is hidden at 24 hours like its tasks', async () => {
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

  it('with Prefer: wait holds the answer of a job too', async () => {
    const user = await newUser()
    const { body: made } = await user.post<Job>('/v1/process/jobs', { tasks: { a: { operation: 'import/upload' } } })
    const held = user.get<Job>(job(made.id), { prefer: 'wait=30' })
    await complete(made.tasks?.[0] as Task)
    expect((await held).body.status).toBe('completed')
  })
})

describe('canceling', () => {
  it('takes a created and a processing task', async () => {
    const user = await newUser()
    const waiting = await user.upload()
    const { body: created } = await user.post('/v1/process/convert', webp(waiting.id))
    expect(created.status).toBe('created')
    for (const { id } of [created, waiting]) {
      expect(await user.post(`${task(id)}/cancel`)).toMatchObject({ status: 200, body: { id, status: 'canceled' } })
    }
  })

  it('refuses a completed and a failed task with 400', async () => {
    const user = await newUser()
    const done = await user.upload()
    await complete(done)
    const failed = await failedTask(user)
    for (const { id } of [done, failed]) {
      const refusal = await user.post<ErrorBody>(`${task(id)}/cancel`)
      expect(refusal).toMatchObject({ status: 400, body: { errorCode: 'task_not_cancelable' } })
    }
  })
})

describe('deleting', () => {
  it('takes a task of any status', async () => {
    const user = await newUser()
    const [open, done, canceled] = [await user.upload(), await user.upload(), await user.upload()]
    await complete(done)
    await user.post(`${task(canceled.id)}/cancel`)
    const failed = await failedTask(user)
    const { body: created } = await user.post('/v1/process/convert', webp((await user.upload()).id))
    for (const { id } of [open, done, canceled, failed, created]) {
      expect((await user.remove(task(id))).status).toBe(200)
      expect((await user.get(task(id))).status).toBe(404)
    }
  })

  it('answers 404 for a task that does not exist, is deleted already or belongs to another', async () => {
    const [user, other] = [await newUser(), await newUser()]
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

  it('naming an input that has failed is answered 201 and is failed', async () => {
    const user = await newUser()
    const { id } = await failedTask(user)
    const { status, body } = await user.post('/v1/process/export/url', { input: [id] })
    expect([status, body.status, body.result.reason]).toEqual([201, 'failed', 'input_failed'])
  })

  it('naming an input whose files have expired is answered 201 and is failed', async () => {
    const user = await newUser()
    const source = await user.upload()
    await complete(source)
    await expired(source.id)
    const { status, body } = await user.post('/v1/process/convert', webp(source.id))
    expect([status, body.status]).toEqual([201, 'failed'])
    expect(body.result).toMatchObject({ errorCode: 'processing_failed', reason: 'input_expired' })
  })

  it('naming an export as input is refused with 400', async () => {
    const user = await newUser()
    const { body: link } = await user.post('/v1/process/export/url', { input: [(await user.upload()).id] })
    const { status, body } = await user.post<ErrorBody>('/v1/process/convert', webp(link.id))
    expect([status, body.errors?.[0]?.path]).toEqual([400, 'input'])
  })
})

describe('queries', () => {
  const ask = async (url: string) => await api.app.inject(url)

  it('list every format of every operation, sorted', async () => {
    const { formats } = (await ask('/v1/query/formats')).json<FormatList>()
    const all = formats.map(({ ext }) => ext)
    expect(all).toEqual([...new Set(all)].sort())
    expect(all).toEqual(expect.arrayContaining(['avif', 'gif', 'jpg', 'pdf', 'png', 'svg', 'tiff', 'webp']))
  })

  it('of each operation answer 200 without a key, with what that operation can do', async () => {
    const sizes: Record<string, number> = {}
    for (const operation of ['convert', 'compress', 'merge', 'crop', 'trim']) {
      const response = await ask(`/v1/query/formats/${operation}?output_format=*`)
      expect(response.statusCode, operation).toBe(200)
      sizes[operation] = response.json<FormatList>().formats.length
    }
    expect((await ask('/v1/query/formats/merge?input_format=*')).json()).toEqual({
      formats: [{ ext: 'gif' }, { ext: 'pdf' }],
    })
    // An svg can be converted and merged, but there is nothing to write one.
    expect(sizes.convert).toBeGreaterThan(sizes.compress ?? 0)
    expect(sizes.crop).toBeGreaterThan(0)
  })

  it('about options answer without a key', async () => {
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
  it('are valid however old they are, until they are revoked', async () => {
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

  it('have scopes that are the five of the interface', () => {
    expect([...scopes].sort()).toEqual(['account.read', 'task.read', 'task.write', 'webhook.read', 'webhook.write'])
  })
})

describe('the limits of a fresh installation', () => {
  it('are 300 a minute for a key and 120 for an address', () => {
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
  it('announce no end while nothing is to end', async () => {
    const { headers } = await api.createKey()
    for (const url of ['/v1/query/formats', '/v1/process/tasks', '/v1/process/jobs']) {
      const response = await api.app.inject({ url, headers })
      expect(response.statusCode).toBe(200)
      expect([response.headers.deprecation, response.headers.sunset]).toEqual([undefined, undefined])
    }
  })
})
