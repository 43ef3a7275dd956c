import type { Job, Page, Task, TaskFilePage } from '@lathe/contract'
import { readEvents } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeUpload, newUser, type User } from '../../testing/new-user.ts'
import { startApi, type TestApi } from '../../testing/start-api.ts'

const shown = 100
const many = 10_000
let api: TestApi
let user: User
let headers: { authorization: string }

beforeAll(async () => {
  api = await startApi()
  ;({ headers } = await api.createKey())
  user = await newUser({ ...api, createKey: async () => ({ headers, key: '', keyId: '', userId: '' }) })
})
afterAll(() => api[Symbol.asyncDispose]())

const sql = (text: string, values: unknown[]) => api.services.database.pool.query(text, values)

/** Gives tasks as many files, from number `from` on, as if an archive had been unpacked or a PDF split. */
async function addFiles(ids: readonly string[], count: number, from = 1): Promise<void> {
  // Few at once: a statement has a time limit, and the machine may be busy.
  for (let at = 0; at < ids.length; at += 5) {
    await sql(
      `insert into files (task_id, expires_at, n, key, filename, format, size, sha256, crc32)
       select t.id, t.created_at + interval '4 hours', g, t.id::text || '/' || g, 'page-' || g || '.jpg', 'jpg', 3,
              decode(repeat('ab', 32), 'hex'), 1
         from tasks t, generate_series($3::int, $2::int - 1) g where t.id = any($1::bytea[])`,
      [ids.slice(at, at + 5).map((id) => `\\x${id}`), count, from],
    )
  }
}

async function newTask(count: number): Promise<Task> {
  const task = await user.upload()
  await completeUpload(api, task)
  await addFiles([task.id], count)
  return task
}

async function newJob(names: readonly string[], count: number): Promise<Job & { tasks: Task[] }> {
  const tasks = Object.fromEntries(names.map((name) => [name, { operation: 'import/upload' }]))
  const { body } = await user.post<Job>('/v1/process/jobs', { tasks })
  const made = body.tasks ?? []
  for (const task of made) {
    await completeUpload(api, task)
    await addFiles([task.id], count)
  }
  return { ...body, tasks: made }
}

/** The size of an answer and the processor time that it took this process. */
async function costOf(url: string) {
  const before = process.threadCpuUsage()
  const answer = await api.app.inject({ url, headers })
  const { user: used, system } = process.threadCpuUsage(before)
  return { status: answer.statusCode, bytes: answer.rawPayload.length, cpuMs: (used + system) / 1000 }
}

const path = (id: string) => `/v1/process/tasks/${id}`

describe('a task with 10,000 files', () => {
  it('shows the first 100, how many there are, and where the others are', async () => {
    const { id } = await newTask(many)
    const { result } = (await user.get(path(id))).body
    expect(result.files?.map(({ filename }) => filename).slice(0, 3)).toEqual(['a.jpg', 'page-1.jpg', 'page-2.jpg'])
    expect(result).toMatchObject({ filesTotal: many, filesUrl: `https://lathe.test${path(id)}/files` })
    expect(result.files).toHaveLength(shown)
    expect(result.url).toContain('/archive/')
    const small = await newTask(shown)
    const { result: whole } = (await user.get(path(small.id))).body
    expect([whole.files?.length, whole.filesTotal, whole.filesUrl]).toEqual([shown, undefined, undefined])
  })

  it('lists all of them in pages, with links that work', async () => {
    const { id } = await newTask(2500)
    const names: (string | undefined)[] = []
    for (let page: number | null = 1; page !== null; ) {
      const { body }: { body: TaskFilePage } = await user.get(`${path(id)}/files?per_page=1000&page=${page}`)
      expect(body).toMatchObject({ totalDocs: 2500, limit: 1000, page, hasNextPage: page < 3 })
      expect(body.docs.every(({ url }) => url?.includes(`/v1/files/${id}/`))).toBe(true)
      names.push(...body.docs.map(({ filename }) => filename))
      page = body.nextPage
    }
    expect(names).toEqual(['a.jpg', ...Array.from({ length: 2499 }, (_, n) => `page-${n + 1}.jpg`)])
    const { body: first } = await user.get<TaskFilePage>(`${path(id)}/files`)
    expect([first.docs.length, first.limit]).toEqual([shown, shown])
    expect((await user.get<TaskFilePage>(`${path(id)}/files?page=99999999`)).body.docs).toEqual([])
    for (const bad of ['per_page=1001', 'per_page=0', 'page=0']) {
      expect((await user.get(`${path(id)}/files?${bad}`)).status).toBe(400)
    }
    expect((await (await newUser(api)).get(`${path(id)}/files`)).status).toBe(404)
    await user.remove(path(id))
    const { body: gone } = await user.get<TaskFilePage>(`${path(id)}/files?per_page=1000&page=3`)
    expect(gone.docs).toHaveLength(500)
    expect(Object.keys(gone.docs[0] ?? {}).sort()).toEqual(['deletedAt', 'sha256', 'size'])
  })

  it('can be canceled, shown, deleted and followed with its job, which shows no more files than others', async () => {
    const job = await newJob(['a', 'b', 'c'], many)
    const jobPath = `/v1/process/jobs/${job.id}`
    const { body } = await user.get<Job>(jobPath)
    expect(body.tasks?.map(({ result }) => [result.files?.length, result.filesTotal])).toEqual(
      Array(3).fill([shown, many]),
    )
    const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
    const reader = await readEvents(`${base}${jobPath}/events`, headers)
    await reader.ended
    expect(reader.events().at(-1)?.type).toBe('job.completed')
    const told = reader.events().flatMap(({ data }) => ('job' in data ? (data.job.tasks ?? []) : [data.task]))
    expect(Math.max(...told.map(({ result }) => result.files?.length ?? 0))).toBe(shown)
    const first = path(job.tasks[0]?.id ?? '')
    expect((await user.post(`${first}/cancel`)).status).toBe(400)
    expect((await user.remove(first)).status).toBe(200)
    expect((await user.remove(jobPath)).status).toBe(200)
    const ids = job.tasks.map(({ id }) => `\\x${id}`)
    const { rows } = await sql('select count(*)::int as n from files where task_id = any($1) and deleted_at is null', [
      ids,
    ])
    expect(rows).toEqual([{ n: 0 }])
  })
})

describe('the largest page of a list', () => {
  it('of tasks with many files each stays small and quick', { timeout: 300_000 }, async () => {
    const { id } = await newTask(1000)
    // Copies of the task with other ids of the same second.
    const { rows } = await sql(
      `insert into tasks
       select (jsonb_populate_record(t, jsonb_build_object('id', set_byte(set_byte(t.id, 10, g), 11, 7)::text))).*
         from tasks t, generate_series(0, 198) g where t.id = $1
       returning encode(id, 'hex') as id`,
      [`\\x${id}`],
    )
    await addFiles(
      rows.map((row) => String((row as { id: string }).id)),
      1000,
      0,
    )
    const url = '/v1/process/tasks?per_page=200'
    await costOf(url)
    const cost = await costOf(url)
    expect(cost.status).toBe(200)
    expect(cost.bytes).toBeLessThan(2_000_000)
    expect(cost.cpuMs).toBeLessThan(300)
    const { docs } = (await user.get<Page<Task>>(url)).body
    expect(docs).toHaveLength(200)
    expect(docs.every(({ result }) => (result.files?.length ?? 0) > 0)).toBe(true)
    expect(docs.find((task) => task.id === id)?.result.filesTotal).toBe(1000)
  })

  it('of jobs with 100 tasks each stays small, with few jobs on it', { timeout: 300_000 }, async () => {
    const names = Array.from({ length: 100 }, (_, n) => `t${n}`)
    const body = { tasks: Object.fromEntries(names.map((name) => [name, { operation: 'import/upload' }])) }
    for (let n = 0; n < 11; n += 1) {
      const { tasks = [] } = (await user.post<Job>('/v1/process/jobs', body)).body
      const ids = tasks.map(({ id }) => id)
      await sql(`update tasks set status = 'completed' where id = any($1::bytea[])`, [ids.map((id) => `\\x${id}`)])
      await addFiles(ids, 150, 0)
    }
    const url = '/v1/process/jobs?include=tasks&per_page=200'
    await costOf(url)
    const cost = await costOf(url)
    expect(cost.bytes).toBeLessThan(2_000_000)
    expect(cost.cpuMs).toBeLessThan(300)
    const { docs, limit, nextPage } = (await user.get<Page<Job>>(url)).body
    expect([docs.length, limit, nextPage]).toEqual([10, 10, 2])
    const { docs: rest } = (await user.get<Page<Job>>(`${url}&page=2`)).body
    expect(rest.length).toBeGreaterThan(0)
    expect(rest.some(({ id }) => docs.some((one) => one.id === id))).toBe(false)
  })
})
