import type { ErrorBody, Usage } from '@lathe/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeUpload, failedTask, newUser } from '../../testing/new-user.ts'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api[Symbol.asyncDispose]())

const today = () => new Date().toISOString().slice(0, 10)

describe('usage', () => {
  it('is shown by day, with the sum of all [D-http-72]', async () => {
    const user = await newUser(api)
    await completeUpload(api, await user.upload())
    await failedTask(user)
    const { status, body } = await user.get<Usage>('/v1/account/usage')
    const sums = { completed: 1, failed: 1, canceled: 1, minutes: 0, bytes: 3 }
    expect(status).toBe(200)
    expect(body).toMatchObject({ to: today(), groupBy: ['day'], total: sums, docs: [{ day: today(), ...sums }] })
    expect(body).toMatchObject({ page: 1, hasNextPage: false, nextPage: null })
  })

  it('is grouped as asked, in pages [D-http-72]', async () => {
    const user = await newUser(api)
    await completeUpload(api, await user.upload())
    await failedTask(user)
    const url = '/v1/account/usage?group_by=operation,pair,engine&per_page=1'
    const first = (await user.get<Usage>(url)).body
    const second = (await user.get<Usage>(`${url}&page=2`)).body
    expect(first).toMatchObject({ hasNextPage: true, nextPage: 2 })
    expect(second).toMatchObject({ hasNextPage: false, nextPage: null })
    expect([...first.docs, ...second.docs]).toEqual([
      expect.objectContaining({ operation: 'convert', inputFormat: null, outputFormat: 'webp', failed: 1 }),
      expect.objectContaining({
        operation: 'import/upload',
        outputFormat: null,
        engine: null,
        completed: 1,
        canceled: 1,
      }),
    ])
    expect(first.docs[0]).not.toHaveProperty('day')
  })

  it('covers the requested days, of this account only [D-http-72]', async () => {
    const [user, other] = [await newUser(api), await newUser(api)]
    await completeUpload(api, await user.upload())
    const past = await user.get<Usage>('/v1/account/usage?from=2020-01-01&to=2020-12-31')
    expect(past.body).toMatchObject({ docs: [], total: { completed: 0 } })
    expect((await other.get<Usage>('/v1/account/usage')).body.docs).toEqual([])
  })

  it('stays when its tasks are deleted [D-http-73]', async () => {
    const user = await newUser(api)
    const task = await user.upload()
    await completeUpload(api, task)
    await user.remove(`/v1/process/tasks/${task.id}`)
    expect((await user.get<Usage>('/v1/account/usage')).body.total).toMatchObject({
      completed: 1,
      canceled: 0,
      bytes: 3,
    })
  })

  it('is refused for more days than a year, and names the field', async () => {
    const user = await newUser(api)
    const { status, body } = await user.get<ErrorBody>('/v1/account/usage?from=2020-01-01&to=2026-01-01')
    expect([status, body.errors?.[0]?.path]).toEqual([400, 'from'])
  })
})
