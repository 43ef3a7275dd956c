import type { Job, Task } from '@lathe/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, importFixture, importTask, newClient } from '../scenario.ts'

let api: Client
beforeAll(async () => {
  api = await newClient()
})

const wait = { prefer: 'wait=30' }
const sizeOf = (task: Task | undefined) => task?.result.files?.[0]?.size ?? 0

describe('running again', () => {
  it('creates a new job with other options from the files of the first [D-op-63]', async () => {
    const first = await api.runJob({
      photo: importTask('photo-40k.jpg'),
      small: { operation: 'convert', input: 'photo', output_format: 'webp', options: { quality: 90 } },
      link: { operation: 'export/url', input: 'small' },
    })
    const changes = { tasks: { small: { options: { quality: 10 } } } }
    const { status, body } = await api.post<Job>(`/v1/process/jobs/${first.id}/run-again`, changes, wait)
    expect(status).toBe(201)
    const second = await api.endedJob(body.id)
    expect(second.status).toBe('completed')
    expect(second.tasks?.map(({ name }) => name)).toEqual(['small', 'link'])
    expect(sizeOf(second.tasks?.[0])).toBeLessThan(sizeOf(first.tasks?.[1]))
    expect((await api.download(second.tasks?.[1]?.result.url)).length).toBe(sizeOf(second.tasks?.[0]))
  })

  it('creates a new task from the files of the first [D-op-64]', async () => {
    const source = await importFixture(api, 'photo-40k.jpg')
    const first = completed(await api.run('convert', { input: source.id, output_format: 'webp' }))
    const { body } = await api.post<Task>(`/v1/process/tasks/${first.id}/run-again`, { output_format: 'png' }, wait)
    const second = completed(await api.endedTask(body.id))
    expect(second).toMatchObject({ operation: 'convert', dependsOn: [source.id], payload: { output_format: 'png' } })
    expect(second.result.files?.[0]?.filename).toBe('photo-40k.png')
  })

  it('is refused once the files are deleted', async () => {
    const source = await importFixture(api, 'photo-40k.jpg')
    const first = completed(await api.run('convert', { input: source.id, output_format: 'webp' }))
    await api.remove(`/v1/process/tasks/${source.id}`)
    const refused = await api.refused('POST', `/v1/process/tasks/${first.id}/run-again`)
    expect(refused).toMatchObject({ status: 400, errors: [{ path: 'input', code: 'not_found' }] })
  })
})
