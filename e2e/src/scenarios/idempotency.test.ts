import type { ErrorBody, Job, Task } from '@lathe/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { base64Body, importTask, newClient } from '../scenario.ts'

let api: Client
beforeAll(async () => {
  api = await newClient()
})

const withKey = (key: string) => ({ 'idempotency-key': key })

describe('Idempotency-Key', () => {
  it('answers the same request with the current state of what the first one created', async () => {
    const first = await api.post<Task>('/v1/process/import/base64', base64Body('photo-40k.jpg'), withKey('one'))
    const again = { ...withKey('one'), prefer: 'wait=30' }
    const second = await api.post<Task>('/v1/process/import/base64', base64Body('photo-40k.jpg'), again)
    expect(second.status).toBe(201)
    expect(second.body).toMatchObject({ id: first.body.id, status: 'completed' })
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await api.tasks('?operation=import/base64')).totalDocs).toBe(1)
  })

  it('is 410 once what it created was deleted', async () => {
    const { body } = await api.post<Task>('/v1/process/import/upload', {}, withKey('gone'))
    await api.remove(`/v1/process/tasks/${body.id}`)
    const again = await api.post<ErrorBody>('/v1/process/import/upload', {}, withKey('gone'))
    expect({ status: again.status, errorCode: again.body.errorCode }).toEqual({ status: 410, errorCode: 'gone' })
  })

  it('creates one resource for any number of simultaneous requests', async () => {
    const body = { tasks: { photo: importTask('photo-40k.jpg') } }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.post<Job>('/v1/process/jobs', body, withKey('many'))),
    )
    expect(new Set(answers.map(({ body: job }) => job.id)).size).toBe(1)
  })

  it('ignores the order of fields', async () => {
    const { file, filename } = base64Body('alpha.png')
    const first = await api.post<Task>('/v1/process/import/base64', { file, filename }, withKey('order'))
    const second = await api.post<Task>('/v1/process/import/base64', { filename, file }, withKey('order'))
    expect(second.body.id).toBe(first.body.id)
  })

  it('with another body is refused with 409', async () => {
    await api.post('/v1/process/import/upload', {}, withKey('two'))
    const { status, body } = await api.post<ErrorBody>(
      '/v1/process/import/upload',
      { filename: 'a.jpg' },
      withKey('two'),
    )
    expect({ status, errorCode: body.errorCode }).toEqual({ status: 409, errorCode: 'idempotency_conflict' })
  })

  it('with another endpoint is refused with 409', async () => {
    await api.post('/v1/process/import/upload', {}, withKey('three'))
    const json = { url: 'http://[::1]/a.jpg' }
    expect((await api.post('/v1/process/import/url', json, withKey('three'))).status).toBe(409)
  })

  it('belongs to its user', async () => {
    const other = await newClient()
    const [mine, theirs] = await Promise.all(
      [api, other].map((client) => client.post<Task>('/v1/process/import/upload', {}, withKey('four'))),
    )
    expect(mine?.body.id).not.toBe(theirs?.body.id)
  })

  it('works for cancel as well', async () => {
    const task = await api.create('import/upload')
    const path = `/v1/process/tasks/${task.id}/cancel`
    const first = await api.post<Task>(path, undefined, withKey('five'))
    const second = await api.post<Task>(path, undefined, withKey('five'))
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
  })

  it('that is malformed is refused', async () => {
    const { status } = await api.refused('POST', '/v1/process/import/upload', { headers: withKey('a b') })
    expect(status).toBe(400)
  })
})

describe('Prefer: wait', () => {
  const wait = { prefer: 'wait=30' }

  it('holds the response to a creation until the task has ended', async () => {
    const { status, body, headers } = await api.post<Task>(
      '/v1/process/import/base64',
      base64Body('photo-40k.jpg'),
      wait,
    )
    expect({ status, state: body.status }).toEqual({ status: 201, state: 'completed' })
    expect(headers.get('preference-applied')).toBe('wait=30')
  })

  it('holds the response to a job until the job has ended', async () => {
    const tasks = {
      photo: importTask('photo-40k.jpg'),
      png: { operation: 'convert', input: 'photo', output_format: 'png' },
    }
    const { body } = await api.post<Job>('/v1/process/jobs', { tasks }, wait)
    expect(body.status).toBe('completed')
    expect(body.tasks?.map(({ status }) => status)).toEqual(['completed', 'completed'])
  })

  it('returns the current state when the time is up', async () => {
    const startedAt = performance.now()
    const { body } = await api.post<Task>('/v1/process/import/upload', {}, { prefer: 'wait=1' })
    expect(body.status).toBe('processing')
    expect(performance.now() - startedAt).toBeGreaterThan(900)
  })

  it('is limited to 60 seconds', async () => {
    const task = await api.run('import/base64', base64Body('photo-40k.jpg'))
    const { headers } = await api.get(`/v1/process/tasks/${task.id}`, { prefer: 'wait=3600' })
    expect(headers.get('preference-applied')).toBe('wait=60')
  })
})
