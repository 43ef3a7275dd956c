import type { Job, JobTokenList, JobTokenWithText, Task } from '@lathe/contract'
import { waitFor } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { importTask, newClient } from '../scenario.ts'

describe('a job token', () => {
  it('lets somebody without a key watch a job and download its files, until it is revoked [D-http-74]', async () => {
    const api = await newClient()
    const job = await api.runJob({
      photo: importTask('photo-40k.jpg'),
      small: { operation: 'convert', input: 'photo', output_format: 'webp' },
    })
    const tokens = `/v1/process/jobs/${job.id}/tokens`
    const made = await api.post<JobTokenWithText>(tokens, { name: 'for a friend' })
    expect(made.status).toBe(201)
    const friend = api.withKey(made.body.token ?? '')
    const seen = (await friend.get<Job>(`/v1/process/jobs/${job.id}`)).body
    expect(seen).toMatchObject({
      status: 'completed',
      tasks: [{ payload: {} }, { payload: { output_format: 'webp' } }],
    })
    const [file] = seen.tasks?.[1]?.result.files ?? []
    expect((await friend.download(file?.url)).length).toBe(file?.size)
    const task = await friend.get<Task>(`/v1/process/tasks/${job.tasks?.[1]?.id}`)
    expect(task.status).toBe(200)
    expect((await friend.refused('DELETE', `/v1/process/jobs/${job.id}`)).status).toBe(403)

    expect((await api.get<JobTokenList>(tokens)).body.tokens).toMatchObject([{ id: made.body.id, revokedAt: null }])
    await api.remove(`${tokens}/${made.body.id}`)
    const isDead = async () => (await friend.get(`/v1/process/jobs/${job.id}`)).status === 401
    await waitFor(isDead, { withinMs: 6_000, everyMs: 200, what: 'the end of the token' })
  })
})
