import type { Job, Page, Task } from '@lathe/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeUpload, failedTask, newUser, type User } from '../testing/new-user.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'

let api: TestApi

beforeAll(async () => {
  api = await startApi()
})

afterAll(() => api[Symbol.asyncDispose]())

const task = (id: string) => `/v1/process/tasks/${id}`
const unknownId = 'f'.repeat(24)
const webp = (input: string) => ({ input, output_format: 'webp' })

describe('the list of tasks', () => {
  const list = async (user: User, query: string) => (await user.get<Page<Task>>(`/v1/process/tasks?${query}`)).body
  const idsOf = ({ docs }: Page<Task>) => docs.map(({ id }) => id)

  it('shows payload, result and status of each task', async () => {
    const user = await newUser(api)
    await user.post('/v1/process/import/url', { url: 'https://a.example/x.jpg' })
    const { docs } = await list(user, '')
    expect(docs).toEqual([
      expect.objectContaining({ payload: { url: 'https://a.example/x.jpg' }, result: {}, status: 'created' }),
    ])
  })

  it('narrows to a status', async () => {
    const user = await newUser(api)
    const [open, done, gone] = [await user.upload(), await user.upload(), await user.upload()]
    await completeUpload(api, done)
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
    const user = await newUser(api)
    const source = await user.upload()
    const { body: child } = await user.post('/v1/process/convert', webp(source.id))
    expect(idsOf(await list(user, 'operation=convert'))).toEqual([child.id])
    expect(idsOf(await list(user, 'operation=import/upload'))).toEqual([source.id])
  })

  it('narrows to the tasks of a job', async () => {
    const user = await newUser(api)
    await user.upload()
    const tasks = { a: { operation: 'import/upload' }, b: { operation: 'import/upload' } }
    const { body: made } = await user.post<Job>('/v1/process/jobs', { tasks })
    expect(idsOf(await list(user, `job=${made.id}`)).sort()).toEqual(made.tasks?.map(({ id }) => id).sort())
  })

  it('is empty for a job that does not exist and for an operation nobody knows', async () => {
    const user = await newUser(api)
    await user.upload()
    const empty = { docs: [], totalDocs: 0, totalPages: 1, pagingCounter: 1, page: 1 }
    expect(await list(user, `job=${unknownId}`)).toMatchObject(empty)
    expect(await list(user, 'operation=import/fax')).toMatchObject(empty)
  })

  it('counts exactly what matches, on every page, also past the end', async () => {
    const user = await newUser(api)
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
    const [user, other] = [await newUser(api), await newUser(api)]
    const [first, second] = [await make(user, 'x'), await make(user, 'y')]
    await make(other, 'x')
    await user.post(`${task(first.tasks?.[0]?.id ?? '')}/cancel`)
    expect((await list(user, '')).docs.map(({ id }) => id)).toEqual([second.id, first.id])
    expect((await list(user, 'status=failed')).docs.map(({ id }) => id)).toEqual([first.id])
    expect((await list(user, 'status=processing')).docs.map(({ id }) => id)).toEqual([second.id])
    expect(await list(user, 'per_page=1&page=2')).toMatchObject({ totalDocs: 2, page: 2, docs: [{ id: first.id }] })
  })

  it('takes a tag exactly', async () => {
    const user = await newUser(api)
    const { id } = await make(user, 'holiday')
    await make(user, 'holiday-2')
    expect((await list(user, 'tag=holiday')).docs.map((found) => found.id)).toEqual([id])
    expect((await list(user, 'tag=holi')).docs).toEqual([])
    expect((await list(user, 'tag=Holiday')).docs).toEqual([])
  })
})
