import type { Job, Task } from '@lathe/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { importTask, newClient } from '../scenario.ts'

let api: Client
let nobody: Client
let job: Job
let forms: Task[]

beforeAll(async () => {
  api = await newClient()
  nobody = await newClient()
  job = await api.createJob({ photo: importTask('photo-40k.jpg') }, 'holiday')
  await api.endedJob(job.id)
  await api.createJob({ upload: { operation: 'import/upload' } }, 'holiday 2')
  forms = []
  for (let i = 0; i < 5; i++) forms.push(await api.create('import/upload'))
})

describe('the list of tasks', () => {
  it('shows the newest first, with payload, result and status', async () => {
    const { docs, totalDocs } = await api.tasks()
    expect(totalDocs).toBe(7)
    expect(docs.slice(0, 5).map(({ id }) => id)).toEqual(forms.map(({ id }) => id).reverse())
    expect(docs.at(-1)).toMatchObject({ payload: { filename: 'photo-40k.jpg' }, status: 'completed', job: job.id })
    expect(docs.at(-1)?.result.url).toContain('/v1/files/')
  })

  it('has 50 entries per page by default', async () => {
    expect(await api.tasks()).toMatchObject({ limit: 50, page: 1, totalPages: 1, pagingCounter: 1 })
  })

  it('comes in pages', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => api.tasks(`?per_page=3&page=${page}`)))
    expect(pages.map(({ docs }) => docs.length)).toEqual([3, 3, 1])
    expect(new Set(pages.flatMap(({ docs }) => docs.map(({ id }) => id))).size).toBe(7)
    const { docs, ...envelope } = pages[1] ?? { docs: [] }
    expect(docs).toHaveLength(3)
    expect(envelope).toEqual({
      totalDocs: 7,
      limit: 3,
      totalPages: 3,
      page: 2,
      pagingCounter: 4,
      hasPrevPage: true,
      hasNextPage: true,
      prevPage: 1,
      nextPage: 3,
      prevCursor: docs[0]?.id,
      nextCursor: docs[2]?.id,
    })
  })

  it('is read from page to page by cursors, in both directions (C6)', async () => {
    const all = (await api.tasks()).docs.map(({ id }) => id)
    const first = await api.tasks('?per_page=3')
    const second = await api.tasks(`?per_page=3&after=${first.nextCursor}`)
    const third = await api.tasks(`?per_page=3&after=${second.nextCursor}`)
    expect([first, second, third].flatMap(({ docs }) => docs.map(({ id }) => id))).toEqual(all)
    expect(third).toMatchObject({ nextCursor: null, hasNextPage: false, page: 3, pagingCounter: 7, totalDocs: 7 })
    const back = await api.tasks(`?per_page=3&before=${third.prevCursor}`)
    expect(back.docs).toEqual(second.docs)
  })

  it('is empty past its end', async () => {
    expect(await api.tasks('?page=99')).toMatchObject({ docs: [], totalDocs: 7, hasNextPage: false, nextPage: null })
  })

  it('is one empty page for a user without tasks', async () => {
    expect(await nobody.tasks()).toEqual({
      docs: [],
      totalDocs: 0,
      limit: 50,
      totalPages: 1,
      page: 1,
      pagingCounter: 1,
      hasPrevPage: false,
      hasNextPage: false,
      prevPage: null,
      nextPage: null,
      prevCursor: null,
      nextCursor: null,
    })
  })

  it('accepts per_page up to 200', async () => {
    expect((await api.tasks('?per_page=200')).limit).toBe(200)
  })

  it.each([
    'per_page=0',
    'per_page=201',
    'per_page=ten',
    'page=0',
    'page=-1',
    'status=done',
    'job=mine',
    'page=1&page=2',
    'after=mine',
    'before=mine',
  ])('is refused for %s', async (query) => {
    const { status, errors } = await api.refused('GET', `/v1/process/tasks?${query}`)
    expect({ status, path: errors?.[0]?.path }).toEqual({ status: 400, path: query.split('=')[0] })
  })

  it('is filtered by status', async () => {
    expect((await api.tasks('?status=completed')).totalDocs).toBe(1)
    expect((await api.tasks('?status=processing')).totalDocs).toBe(6)
    expect((await api.tasks('?status=failed')).totalDocs).toBe(0)
  })

  it('is filtered by operation; an unknown one matches nothing', async () => {
    expect((await api.tasks('?operation=import/upload')).totalDocs).toBe(6)
    expect((await api.tasks('?operation=fold')).totalDocs).toBe(0)
  })

  it('is filtered by job; an unknown one matches nothing', async () => {
    expect((await api.tasks(`?job=${job.id.toUpperCase()}`)).docs.map(({ name }) => name)).toEqual(['photo'])
    expect((await api.tasks('?job=aaaaaaaaaaaaaaaaaaaaaaaa')).docs).toEqual([])
  })

  it('ignores query parameters it does not know', async () => {
    expect((await api.tasks('?colour=red')).totalDocs).toBe(7)
  })
})

describe('the list of jobs', () => {
  it('shows the newest first, without their tasks', async () => {
    const { docs } = await api.jobs()
    expect(docs.map(({ tag }) => tag)).toEqual(['holiday 2', 'holiday'])
    expect(docs.every((shown) => shown.tasks === undefined)).toBe(true)
  })

  it('shows their tasks when asked to', async () => {
    const { docs } = await api.jobs('?include=tasks')
    expect(docs.map(({ tasks }) => tasks?.map(({ name }) => name))).toEqual([['upload'], ['photo']])
  })

  it('is filtered by tag, exactly', async () => {
    expect((await api.jobs('?tag=holiday')).docs.map(({ id }) => id)).toEqual([job.id])
  })

  it('is filtered by status', async () => {
    expect((await api.jobs('?status=completed')).docs.map(({ id }) => id)).toEqual([job.id])
    expect((await api.jobs('?status=processing')).totalDocs).toBe(1)
  })

  it('comes in pages', async () => {
    expect(await api.jobs('?per_page=1&page=2')).toMatchObject({
      totalDocs: 2,
      totalPages: 2,
      prevPage: 1,
      nextPage: null,
    })
  })

  it.each(['include=files', 'status=canceled', 'per_page=201'])('is refused for %s', async (query) => {
    expect((await api.refused('GET', `/v1/process/jobs?${query}`)).status).toBe(400)
  })
})

describe('showing a task', () => {
  it('adds details of its job when asked to, and its job stays an id', async () => {
    const id = job.tasks?.[0]?.id
    const { body } = await api.get<Task>(`/v1/process/tasks/${id}?include=payload,job`)
    expect(body).toMatchObject({ job: job.id, jobDetails: { id: job.id, tag: 'holiday', status: 'completed' } })
    expect((await api.task(id ?? '')).jobDetails).toBeUndefined()
  })

  it('is refused for an unknown include', async () => {
    expect((await api.refused('GET', `/v1/process/tasks/${forms[0]?.id}?include=owner`)).errors?.[0]?.path).toBe(
      'include',
    )
  })

  it('accepts its id in upper and lower case', async () => {
    expect((await api.task(forms[0]?.id.toUpperCase() ?? '')).id).toBe(forms[0]?.id)
  })

  it('is refused for a malformed id, and 404 for an unknown one', async () => {
    expect((await api.refused('GET', '/v1/process/tasks/mine')).status).toBe(400)
    expect((await api.refused('GET', '/v1/process/tasks/aaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404)
    expect((await api.refused('GET', '/v1/process/jobs/mine')).status).toBe(400)
    expect((await api.refused('GET', '/v1/process/jobs/aaaaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404)
  })
})
