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

  it('shows payload, result and status of each task [S-tasks-01]', async () => {
    const user = await newUser(api)
    await user.post('/v1/process/import/url', { url: 'https://a.example/x.jpg' })
    const { docs } = await list(user, '')
    expect(docs).toEqual([
      expect.objectContaining({ payload: { url: 'https://a.example/x.jpg' }, result: {}, status: 'created' }),
    ])
  })

  it('narrows to a status [S-tasks-03]', async () => {
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

  it('narrows to an operation [S-tasks-04]', async () => {
    const user = await newUser(api)
    const source = await user.upload()
    const { body: child } = await user.post('/v1/process/convert', webp(source.id))
    expect(idsOf(await list(user, 'operation=convert'))).toEqual([child.id])
    expect(idsOf(await list(user, 'operation=import/upload'))).toEqual([source.id])
  })

  it('narrows to the tasks of a job [S-tasks-05]', async () => {
    const user = await newUser(api)
    await user.upload()
    const tasks = { a: { operation: 'import/upload' }, b: { operation: 'import/upload' } }
    const { body: made } = await user.post<Job>('/v1/process/jobs', { tasks })
    expect(idsOf(await list(user, `job=${made.id}`)).sort()).toEqual(made.tasks?.map(({ id }) => id).sort())
  })

  it('is empty for an unknown job and for an unknown operation [D-http-34, D-http-42]', async () => {
    const user = await newUser(api)
    await user.upload()
    const empty = { docs: [], totalDocs: 0, totalPages: 1, pagingCounter: 1, page: 1 }
    expect(await list(user, `job=${unknownId}`)).toMatchObject(empty)
    expect(await list(user, 'operation=import/fax')).toMatchObject(empty)
  })

  it('counts exactly what matches, on every page, also past the end [S-page-02, D-http-39, D-http-41]', async () => {
    const user = await newUser(api)
    for (let n = 0; n < 5; n += 1) await user.upload()
    await user.post('/v1/process/import/url', { url: 'https://a.example/x.jpg' })
    const query = 'operation=import/upload&per_page=2'
    expect(await list(user, query)).toMatchObject({ totalDocs: 5, totalPages: 3, pagingCounter: 1, hasNextPage: true })
    expect(await list(user, `${query}&page=3`)).toMatchObject({ totalDocs: 5, pagingCounter: 5, nextPage: null })
    expect(await list(user, `${query}&page=9`)).toMatchObject({ totalDocs: 5, docs: [] })
  })
})

describe('a list of more than 100,000 tasks', () => {
  it('is counted exactly and read to its end by pages and by cursors (C6) [D-http-41]', async () => {
    const count = 100_050
    const { userId, headers } = await api.createKey()
    const first = (Math.floor(Date.now() / 1000) - 60).toString(16)
    await api.services.database.pool.query(
      `insert into tasks (id, owner_id, user_id, position, name, operation, pool, status, payload, depends_on, pending,
                          slot, seq, created_at, updated_at)
       select decode($1 || lpad(to_hex(n), 16, '0'), 'hex'), decode($2, 'hex'), decode($2, 'hex'), 0, 'convert', 'convert',
              'process', 'failed', '{}', '{}', 0, false, 1, now(), now()
         from generate_series(1, $3::int) n`,
      [first, userId, count],
    )
    const read = async (query: string) =>
      (await api.app.inject({ url: `/v1/process/tasks?per_page=200${query}`, headers })).json<Page<Task>>()
    const pages = Math.ceil(count / 200)
    expect(await read('&page=501')).toMatchObject({ totalDocs: count, totalPages: pages, hasNextPage: false })
    expect(await read('&page=500')).toMatchObject({ hasNextPage: true, nextPage: 501, pagingCounter: 99_801 })
    const middle = await read('&page=500')
    const last = await read(`&after=${middle.nextCursor}`)
    expect(last).toMatchObject({ totalDocs: count, pagingCounter: 100_001, hasNextPage: false, nextCursor: null })
    expect(last.docs.map(({ id }) => id)).toEqual((await read('&page=501')).docs.map(({ id }) => id))
    const back = await read(`&before=${last.prevCursor}`)
    expect(back.docs.map(({ id }) => id)).toEqual(middle.docs.map(({ id }) => id))
    expect(back).toMatchObject({ page: 500, pagingCounter: 99_801, hasPrevPage: true, hasNextPage: true })
  })
})

describe('cursors', () => {
  it('skip and repeat nothing while others are created and deleted (C6) [D-http-41]', async () => {
    const user = await newUser(api)
    const made: string[] = []
    for (let n = 0; n < 6; n += 1) made.push((await user.upload()).id)
    const read = async (query: string) => (await user.get<Page<Task>>(`/v1/process/tasks?per_page=2${query}`)).body
    const first = await read('')
    await user.upload()
    await user.remove(task(made[4] ?? ''))
    const second = await read(`&after=${first.nextCursor}`)
    expect(second.docs.map(({ id }) => id)).toEqual([made[3], made[2]])
    expect(second).toMatchObject({ totalDocs: 6, hasPrevPage: true, hasNextPage: true })
    expect((await read(`&before=${made[5]}`)).docs.map(({ id }) => id)).not.toContain(made[5])
    expect(await read(`&after=${made[0]}`)).toMatchObject({ docs: [], hasNextPage: false, nextCursor: null })
  })
})

describe('the list of jobs', () => {
  const list = async (user: User, query: string) => (await user.get<Page<Job>>(`/v1/process/jobs?${query}`)).body
  const make = async (user: User, tag: string) =>
    (await user.post<Job>('/v1/process/jobs', { tag, tasks: { a: { operation: 'import/upload' } } })).body

  it('holds the jobs of the caller alone, narrowed by status, in pages [S-jobs-01, S-jobs-02, S-jobs-05]', async () => {
    const [user, other] = [await newUser(api), await newUser(api)]
    const [first, second] = [await make(user, 'x'), await make(user, 'y')]
    await make(other, 'x')
    await user.post(`${task(first.tasks?.[0]?.id ?? '')}/cancel`)
    expect((await list(user, '')).docs.map(({ id }) => id)).toEqual([second.id, first.id])
    expect((await list(user, 'status=failed')).docs.map(({ id }) => id)).toEqual([first.id])
    expect((await list(user, 'status=processing')).docs.map(({ id }) => id)).toEqual([second.id])
    expect(await list(user, 'per_page=1&page=2')).toMatchObject({ totalDocs: 2, page: 2, docs: [{ id: first.id }] })
  })

  it('matches a tag exactly [D-http-43]', async () => {
    const user = await newUser(api)
    const { id } = await make(user, 'holiday')
    await make(user, 'holiday-2')
    expect((await list(user, 'tag=holiday')).docs.map((found) => found.id)).toEqual([id])
    expect((await list(user, 'tag=holi')).docs).toEqual([])
    expect((await list(user, 'tag=Holiday')).docs).toEqual([])
  })

  it('is filtered by the time of creation [S-jobs-22]', async () => {
    const user = await newUser(api)
    const job = await make(user, 'x')
    const at = (shiftMs: number) => new Date(Date.parse(job.createdAt) + shiftMs).toISOString()
    const idsOf = async (query: string) => (await list(user, query)).docs.map(({ id }) => id)
    expect(await idsOf(`from=${at(0)}&to=${at(1)}`)).toEqual([job.id])
    expect(await idsOf(`from=${at(1)}`)).toEqual([])
    expect(await idsOf(`to=${at(0)}`)).toEqual([])
    expect(await list(user, `from=${at(-3_600_000)}&per_page=1`)).toMatchObject({ totalDocs: 1, hasNextPage: false })
  })
})
