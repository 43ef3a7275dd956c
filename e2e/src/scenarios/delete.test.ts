import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { type FileServer, stalls, startFileServer } from '../file-server.ts'
import { fixture, importFixture, importTask, newClient } from '../scenario.ts'

let api: Client
let server: FileServer
beforeAll(async () => {
  api = await newClient()
  server = await startFileServer({ '/slow.jpg': stalls })
})
afterAll(() => server[Symbol.asyncDispose]())

const slowImport = () => ({ operation: 'import/url', url: `${server.url}/slow.jpg` })
const taskPath = (id: string) => `/v1/process/tasks/${id}`

describe('deleting a task', () => {
  it('answers 200 with an empty body, and 404 from then on', async () => {
    const { id } = await importFixture(api, 'photo-40k.jpg')
    const { status, bytes } = await api.send('DELETE', taskPath(id))
    expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 })
    expect((await api.refused('GET', taskPath(id))).status).toBe(404)
    expect((await api.refused('DELETE', taskPath(id))).status).toBe(404)
    expect((await api.refused('POST', `${taskPath(id)}/cancel`)).status).toBe(404)
  })

  it('deletes its files: their links return 404 [S-state-09]', async () => {
    const { id, result } = await importFixture(api, 'photo-40k.jpg')
    await api.remove(taskPath(id))
    expect((await api.withKey(undefined).refused('GET', result.url ?? '')).status).toBe(404)
  })

  it('removes it from lists, except for a receipt under status=deleted, with user_deleted_task (C12)', async () => {
    const { id, result } = await importFixture(api, 'photo-40k.jpg')
    await api.remove(taskPath(id))
    expect((await api.tasks('?per_page=200')).docs.map((task) => task.id)).not.toContain(id)
    const receipt = (await api.tasks('?status=deleted')).docs.find((task) => task.id === id)
    const [file] = result.files ?? []
    expect(receipt).toMatchObject({
      status: 'deleted',
      payload: {},
      operation: 'import/base64',
      result: {
        errorCode: 'user_deleted_task',
        files: [{ size: fixture('photo-40k.jpg').length, sha256: file?.sha256 }],
      },
    })
    expect(Date.parse(receipt?.result.files?.[0]?.deletedAt ?? '')).toBeGreaterThan(0)
    expect(JSON.stringify(receipt)).not.toContain('photo-40k')
  })

  it('fails the tasks that wait for it, with user_deleted_task', async () => {
    const { id } = await api.create('import/url', { url: `${server.url}/slow.jpg` })
    const waiting = await api.create('convert', { input: id, output_format: 'png' })
    await api.remove(taskPath(id))
    expect(await api.endedTask(waiting.id)).toMatchObject({
      status: 'failed',
      result: { errorCode: 'user_deleted_task', reason: 'input_deleted' },
    })
  })

  it('fails its job with task_deleted, where it stays as a tombstone', async () => {
    const job = await api.createJob({ slow: slowImport(), photo: importTask('photo-40k.jpg') })
    await api.remove(taskPath(job.tasks?.[0]?.id ?? ''))
    expect(await api.endedJob(job.id)).toMatchObject({
      status: 'failed',
      result: { errorCode: 'task_deleted' },
      tasks: [{ name: 'slow', status: 'deleted', payload: {} }, { name: 'photo' }],
    })
  })

  it('of a job that has completed leaves the job completed', async () => {
    const job = await api.runJob({ photo: importTask('photo-40k.jpg') })
    await api.remove(taskPath(job.tasks?.[0]?.id ?? ''))
    expect((await api.job(job.id)).status).toBe('completed')
  })

  it('refuses it as input of a new task', async () => {
    const { id } = await importFixture(api, 'photo-40k.jpg')
    await api.remove(taskPath(id))
    const refused = await api.refused('POST', '/v1/process/convert', { json: { input: id, output_format: 'png' } })
    expect(refused.errors?.[0]?.path).toBe('input')
  })
})

describe('deleting a job', () => {
  it('answers 200 with an empty body and deletes its tasks and files', async () => {
    const job = await api.runJob({
      photo: importTask('photo-40k.jpg'),
      link: { operation: 'export/url', input: ['photo'] },
    })
    const { status, bytes } = await api.send('DELETE', `/v1/process/jobs/${job.id}`)
    expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 })
    expect((await api.refused('GET', `/v1/process/jobs/${job.id}`)).status).toBe(404)
    expect((await api.refused('DELETE', `/v1/process/jobs/${job.id}`)).status).toBe(404)
    for (const { id, result } of job.tasks ?? []) {
      expect((await api.refused('GET', taskPath(id))).status).toBe(404)
      expect((await api.withKey(undefined).refused('GET', result.url ?? '')).status).toBe(404)
    }
    expect((await api.jobs('?per_page=200')).docs.map(({ id }) => id)).not.toContain(job.id)
  })

  it('stops what is running and leaves receipts of its tasks', async () => {
    const job = await api.createJob({
      slow: slowImport(),
      png: { operation: 'convert', input: 'slow', output_format: 'png' },
    })
    await api.remove(`/v1/process/jobs/${job.id}`)
    const receipts = (await api.tasks('?status=deleted&per_page=200')).docs.map(({ id }) => id)
    expect(receipts).toEqual(expect.arrayContaining(job.tasks?.map(({ id }) => id) ?? []))
  })
})
