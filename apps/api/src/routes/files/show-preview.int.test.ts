import { Readable } from 'node:stream'
import type { ErrorBody, Job, JobTokenWithText, Page, Task } from '@lathe/contract'
import { bytes, findTaskById } from '@lathe/database'
import { failure, isObjectId, type ObjectId } from '@lathe/domain'
import { createWorkerDesk, type WorkerDesk } from '@lathe/orchestrator'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
let desk: WorkerDesk
let workerId: ObjectId
let headers: { authorization: string }
beforeAll(async () => {
  api = await startApi()
  const dispatch = { enqueue: async () => {}, cancel: async () => {}, reported: async () => {} }
  desk = createWorkerDesk({ ...api.services, dispatch })
  workerId = api.services.ids.next()
  await desk.register({ id: workerId, host: 'test', pools: ['process'], sandboxLevel: 2, catalogVersion: 1_000 })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(async () => {
  headers = (await api.createKey(['task.read', 'task.write'])).headers
})

const { signal } = new AbortController()
const image = Buffer.from('RIFF....WEBP')
const now = { prefer: 'wait=0' }

async function call(url: string, by: object = headers, more: object = {}, method: 'GET' | 'POST' | 'DELETE' = 'GET') {
  return api.app.inject({ method, url, headers: { ...by, ...more } })
}

async function refusal(url: string, more: object = {}) {
  const { errorCode, msg } = (await call(url, headers, more)).json<ErrorBody>()
  return `${errorCode}: ${msg}`
}

const pathOf = (id: string, file: number | string = 0, query = '') =>
  `/v1/process/tasks/${id}/files/${file}/preview${query}`

/** A completed upload of a file of this format. */
async function uploaded(format = 'pdf', id?: string): Promise<string> {
  const taskId = id ?? (await call('/v1/process/import/upload', headers, {}, 'POST')).json<Task>().id
  const file = { n: 0, key: `k/${taskId}`, filename: `a.${format}`, format, size: 3, sha256: 'ab'.repeat(32), crc32: 1 }
  if (!(await api.services.orchestrator.completeUpload(taskId, file))) throw new Error('the upload was not waiting')
  return taskId
}

async function previewOf(taskId: string): Promise<ObjectId> {
  const sql = `select preview_id as id from previews where task_id = $1`
  const { rows } = await api.services.database.pool.query<{ id: ObjectId }>(sql, [bytes(taskId)])
  if (rows.length !== 1) throw new Error(`${rows.length} previews`)
  return rows[0]?.id ?? ''
}

/** Makes the one preview of a task, as a worker would. */
async function make(taskId: string, code?: 'input_damaged'): Promise<ObjectId> {
  const id = await previewOf(taskId)
  const claim = await desk.claim({ taskId: id, attempt: 1, workerId })
  if (!claim) throw new Error('the preview was not claimed')
  const key = `p/${id}`
  const stored = await api.services.store.put(key, Readable.from([image]), { signal })
  const file = { n: 0, key, filename: 'a.webp', format: 'webp', crc32: 1, size: image.length, sha256: stored.sha256 }
  if (code) await desk.fail(claim, failure(code, { text: 'The input file is damaged.' }))
  else await desk.complete(claim.fence, { files: [file], warnings: [] }, claim.standing)
  return id
}

describe('a preview', () => {
  it('answers 202 while it is made, and the image from then on [D-http-80]', async () => {
    const taskId = await uploaded()
    const first = await call(pathOf(taskId), headers, now)
    expect([first.statusCode, first.headers['retry-after'], first.body]).toEqual([202, '1', ''])
    await make(taskId)
    for (const query of ['', '?page=1']) {
      const answer = await call(pathOf(taskId, 0, query))
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp'])
      expect(answer.rawPayload.equals(image)).toBe(true)
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      })
      expect(answer.headers).not.toHaveProperty('retry-after')
    }
    await previewOf(taskId)
  })

  it('supports Prefer: wait [D-http-80]', async () => {
    const taskId = await uploaded()
    const answer = call(pathOf(taskId))
    await expect.poll(() => make(taskId)).toSatisfy(isObjectId)
    expect((await answer).statusCode).toBe(200)
  })

  it('is not listed as a task, and cannot be read as one [D-http-82]', async () => {
    const taskId = await uploaded()
    await call(pathOf(taskId), headers, now)
    const id = await previewOf(taskId)
    expect((await call('/v1/process/tasks')).json<Page<Task>>().docs.map((task) => task.id)).toEqual([taskId])
    for (const url of [`/v1/process/tasks/${id}`, `/v1/process/tasks/${id}/events`, pathOf(id)])
      expect((await call(url)).statusCode).toBe(404)
  })

  it('that failed is refused, with the reason [D-http-80]', async () => {
    const taskId = await uploaded()
    await call(pathOf(taskId), headers, now)
    await make(taskId, 'input_damaged')
    expect(await refusal(pathOf(taskId))).toBe('no_preview: There is no preview: The input file is damaged.')
  })

  it('is deleted with its file [D-http-81]', async () => {
    const taskId = await uploaded()
    await call(pathOf(taskId), headers, now)
    const id = await make(taskId)
    await call(`/v1/process/tasks/${taskId}`, headers, {}, 'DELETE')
    expect((await call(pathOf(taskId))).statusCode).toBe(404)
    const record = await findTaskById(api.services.database.pool, id)
    expect(record?.status).toBe('deleted')
    expect(await api.services.store.open(record?.files[0]?.key ?? '', { signal })).toBeUndefined()
  })

  it('needs a key that may read tasks, and the owner of the file [D-http-83]', async () => {
    const taskId = await uploaded()
    const readOnly = await api.createKey(['task.read'])
    const writeOnly = await api.createKey(['task.write'])
    expect((await call(pathOf(taskId), readOnly.headers)).statusCode).toBe(404)
    expect((await call(pathOf(taskId), writeOnly.headers)).statusCode).toBe(403)
    expect((await call(pathOf(taskId), {})).statusCode).toBe(401)
  })

  it('is shown to the holder of a token of the job, of its tasks only [D-http-83]', async () => {
    const payload = { tasks: { photo: { operation: 'import/upload' } } }
    const job = (await api.app.inject({ method: 'POST', url: '/v1/process/jobs', headers, payload })).json<Job>()
    const taskId = await uploaded('pdf', job.tasks?.[0]?.id)
    const made = await call(`/v1/process/jobs/${job.id}/tokens`, headers, {}, 'POST')
    const guest = { authorization: `Bearer ${made.json<JobTokenWithText>().token}` }
    expect((await call(pathOf(taskId), guest, now)).statusCode).toBe(202)
    await make(taskId)
    expect((await call(pathOf(taskId), guest)).rawPayload.equals(image)).toBe(true)
    expect((await call(pathOf(await uploaded()), guest)).statusCode).toBe(404)
  })
})

describe('no preview', () => {
  it.each([
    ['zip', '', 'no_preview: There is no preview of a ZIP archive (zip).'],
    ['jpg', '?page=2', 'invalid_request: page: must be 1: the file is a JPEG image (jpg), which has a single page.'],
    ['pdf', '?page=0', 'invalid_request: page: must be an integer from 1 to 10000.'],
    ['pdf', '?page=x', 'invalid_request: page: must be an integer from 1 to 10000.'],
  ])('exists of a %s for %j [D-http-80]', async (format, query, text) => {
    expect(await refusal(pathOf(await uploaded(format), 0, query))).toContain(text)
  })

  it('exists of files that are not there [D-http-80]', async () => {
    const taskId = await uploaded()
    const open = (await call('/v1/process/import/upload', headers, {}, 'POST')).json<Task>().id
    expect(await refusal(pathOf(taskId, 1))).toBe('not_found: file: the task has no file 1. Files are numbered from 0.')
    expect(await refusal(pathOf(open))).toContain('not_found: The task is processing.')
    expect(await refusal(pathOf('a'.repeat(24)))).toContain('not_found:')
    expect(await refusal(pathOf(taskId, 'x'))).toContain('invalid_request: file: must be the position')
    const sql = `update files set expires_at = now() - interval '1 s' where task_id = $1`
    await api.services.database.pool.query(sql, [bytes(taskId)])
    expect(await refusal(pathOf(taskId))).toBe('not_found: The file was deleted or has expired.')
  })

  it('is made while four others are being made [D-http-82]', async () => {
    const taskId = await uploaded()
    const answers = []
    for (const page of [1, 2, 3, 4, 5, 5]) answers.push(await call(pathOf(taskId, 0, `?page=${page}`), headers, now))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202, 429, 429])
    expect(answers.at(-1)?.headers['retry-after']).toBe('1')
    expect((await call(pathOf(taskId, 0, '?page=1'), headers, now)).statusCode).toBe(202)
  })
})
