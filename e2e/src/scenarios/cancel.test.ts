import type { ErrorBody, Task } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { type FileServer, stalls, startFileServer } from '../file-server.ts'
import { importFixture, newClient } from '../scenario.ts'

let api: Client
let server: FileServer
beforeAll(async () => {
  api = await newClient()
  server = await startFileServer({ '/slow.jpg': stalls })
})
afterAll(() => server[Symbol.asyncDispose]())

const cancel = (id: string) => api.post<Task>(`/v1/process/tasks/${id}/cancel`)

/** A job whose import never ends: the import is processing, its dependants are created. */
async function stuckJob() {
  const job = await api.createJob({
    slow: { operation: 'import/url', url: `${server.url}/slow.jpg` },
    png: { operation: 'convert', input: 'slow', output_format: 'png' },
    link: { operation: 'export/url', input: ['png'] },
  })
  const [slow, png, link] = job.tasks?.map(({ id }) => id) ?? []
  if (!slow || !png || !link) throw new Error('a task is missing')
  await waitFor(async () => (await api.task(slow)).status === 'processing', { withinMs: 10_000, what: 'processing' })
  return { job: job.id, slow, png, link }
}

describe('cancel', () => {
  it('ends a task that is processing and answers 200 with the canceled task', async () => {
    const { slow } = await stuckJob()
    const { status, body } = await cancel(slow)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: slow, status: 'canceled' })
    expect(body.endedAt).not.toBeNull()
  })

  it('ends a task that is created', async () => {
    const { png } = await stuckJob()
    expect((await api.task(png)).status).toBe('created')
    expect((await cancel(png)).body.status).toBe('canceled')
  })

  it('fails every task that depends on it, with input_canceled or input_failed', async () => {
    const { slow, png, link } = await stuckJob()
    await cancel(slow)
    expect(await api.endedTask(png)).toMatchObject({
      status: 'failed',
      result: { errorCode: 'processing_failed', reason: 'input_canceled' },
    })
    expect((await api.endedTask(link)).status).toBe('failed')
  })

  it('fails its job with task_canceled', async () => {
    const { job, slow } = await stuckJob()
    await cancel(slow)
    expect(await api.endedJob(job)).toMatchObject({ status: 'failed', result: { errorCode: 'task_canceled' } })
  })

  it('of a canceled task answers 200 and the task again', async () => {
    const { slow } = await stuckJob()
    const first = await cancel(slow)
    const second = await cancel(slow)
    expect(second.status).toBe(200)
    expect(second.body).toEqual(first.body)
  })

  it('of a completed task is refused [D-state-20]', async () => {
    const { id } = await importFixture(api, 'photo-40k.jpg')
    const { status, body } = await api.post<ErrorBody>(`/v1/process/tasks/${id}/cancel`)
    expect({ status, errorCode: body.errorCode }).toEqual({ status: 400, errorCode: 'task_not_cancelable' })
    expect((await api.task(id)).status).toBe('completed')
  })

  it('of a failed task is refused', async () => {
    const task = await api.run('import/url', { url: 'http://[::1]/' })
    expect((await api.refused('POST', `/v1/process/tasks/${task.id}/cancel`)).errorCode).toBe('task_not_cancelable')
  })

  it('accepts an empty object as body, and refuses any field', async () => {
    const task = await api.create('import/upload')
    const path = `/v1/process/tasks/${task.id}/cancel`
    expect((await api.refused('POST', path, { json: { now: true } })).status).toBe(400)
    expect((await api.post<Task>(path, {})).body.status).toBe('canceled')
  })
})
