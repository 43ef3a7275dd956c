import type { ErrorBody, Job, Task } from '@lathe/contract'
import { bytes, findJobWebhook } from '@lathe/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { completeUpload, newUser, type User } from '../testing/new-user.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

let api: TestApi
let user: User
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(async () => {
  user = await newUser(api)
})

const jobs = '/v1/process/jobs'

/** A job with an upload, whose file has arrived, and a conversion. */
async function newJob(more: object = {}): Promise<Job> {
  const tasks = {
    photo: { operation: 'import/upload' },
    webp: { operation: 'convert', input: 'photo', output_format: 'webp', options: { quality: 80 } },
  }
  const { body } = await user.post<Job>(jobs, { tag: 'first', tasks, ...more })
  await completeUpload(api, body.tasks?.[0] as Task)
  return body
}

async function expire(taskId: string | undefined): Promise<void> {
  await api.services.database.pool.query(`update tasks set created_at = created_at - interval '4 h' where id = $1`, [
    bytes(taskId ?? ''),
  ])
}

describe('running a job again', () => {
  it('creates a new job on the existing files, with changed options [D-op-63]', async () => {
    const { id, tasks: [photo] = [] } = await newJob()
    const changes = { tasks: { webp: { options: { quality: 20 } } } }
    const { status, body } = await user.post<Job>(`${jobs}/${id}/run-again`, changes)
    expect(status).toBe(201)
    expect(body.id).not.toBe(id)
    expect(body).toMatchObject({
      tag: 'first',
      tasks: [{ name: 'webp', dependsOn: [photo?.id], payload: { output_format: 'webp', options: { quality: 20 } } }],
    })
  })

  it('keeps the webhook URL, sealed for the new job', async () => {
    const { id } = await newJob({ webhook_url: 'https://hooks.example.com/of-job' })
    const { body } = await user.post<Job>(`${jobs}/${id}/run-again`)
    const webhook = await findJobWebhook(api.services.database.pool, body.id)
    expect(api.services.sealer.open(webhook?.sealed ?? '', body.id)).toBe('https://hooks.example.com/of-job')
  })

  it('is refused once the files are gone, and says which [D-op-65]', async () => {
    const { id, tasks: [photo] = [] } = await newJob()
    await expire(photo?.id)
    const { status, body } = await user.post<ErrorBody>(`${jobs}/${id}/run-again`)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: 'tasks.photo', code: 'not_found' }])
  })

  it('happens once for an Idempotency-Key, and is answered the same when the files are gone [D-op-66]', async () => {
    const { id, tasks: [photo] = [] } = await newJob()
    const again = (payload: object) => user.post<Job>(`${jobs}/${id}/run-again`, payload, { 'idempotency-key': 'once' })
    const first = await again({})
    await expire(photo?.id)
    const second = await again({})
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.id).toBe(first.body.id)
    expect((await again({ tag: 'other' })).status).toBe(409)
  })

  it('of somebody else, or of none, is not found', async () => {
    const { id } = await newJob()
    const other = await newUser(api)
    expect((await other.post(`${jobs}/${id}/run-again`)).status).toBe(404)
    expect((await user.post(`${jobs}/${'a'.repeat(24)}/run-again`)).status).toBe(404)
  })
})

describe('running a task again', () => {
  it('makes a new task outside any job on the same files [D-op-64]', async () => {
    const { tasks: [photo, webp] = [] } = await newJob()
    const url = `/v1/process/tasks/${webp?.id}/run-again`
    const { status, body } = await user.post(url, { output_format: 'png', options: null })
    expect(status).toBe(201)
    expect(body).toMatchObject({ job: null, dependsOn: [photo?.id], payload: { output_format: 'png' } })
  })

  it('is refused if its input was deleted', async () => {
    const source = await user.upload()
    await completeUpload(api, source)
    const { body: made } = await user.post('/v1/process/convert', { input: source.id, output_format: 'webp' })
    await user.remove(`/v1/process/tasks/${source.id}`)
    const refused = await user.post<ErrorBody>(`/v1/process/tasks/${made.id}/run-again`)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'input', code: 'not_found' }] } })
  })
})
