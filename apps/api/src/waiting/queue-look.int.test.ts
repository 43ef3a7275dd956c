import type { Job, Page, Task } from '@lathe/contract'
import { bytes, manyBytes } from '@lathe/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { completeUpload, newUser, type User } from '../testing/new-user.ts'
import { startApi, type TestApi } from '../testing/start-api.ts'
import { createQueueLook } from './queue-look.ts'

let api: TestApi
let user: User
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(async () => {
  user = await newUser(api)
})

const unknown = { secondsToStart: null, secondsToEnd: null }

async function conversions(count: number): Promise<Task[]> {
  const source = await user.upload()
  await completeUpload(api, source)
  const made: Task[] = []
  for (let n = 0; n < count; n++) {
    made.push((await user.post('/v1/process/convert', { input: source.id, output_format: 'webp' })).body)
  }
  return made
}

/** Ends tasks as if a worker had run one after the other for two seconds each. */
async function run(tasks: readonly Task[]): Promise<void> {
  await api.services.database.pool.query(
    `update tasks t set status = 'completed', slot = false, started_at = now() - n * interval '3 s',
            ended_at = now() - n * interval '3 s' + interval '2 s'
       from unnest($1::bytea[]) with ordinality as done(id, n) where t.id = done.id`,
    [manyBytes(tasks.map(({ id }) => id))],
  )
}

/** The queue position as seen by a process without a cached one. */
async function placeOf({ id }: Task) {
  return (await createQueueLook(api.services).read([id])).get(id)
}

describe('the queue position of a waiting task', () => {
  it('is its position among the tasks for the same engines, or among those of its owner that have no slot [D-shape-19]', async () => {
    const made = await conversions(7)
    const others = await api.services.database.pool.query<{ n: number }>(
      `select count(*)::int as n from tasks where pool = 'process' and slot and worker_id is null and id < $1`,
      [bytes(made[0]?.id ?? '')],
    )
    const before = others.rows[0]?.n ?? 0
    const places = await Promise.all(made.map(placeOf))
    expect(places.map((place) => [place?.waitsFor, place?.position])).toEqual([
      ...[1, 2, 3, 4].map((n) => ['worker', before + n]),
      ...[1, 2, 3].map((n) => ['slot', n]),
    ])
  })

  it('is shown with the task, in its job and in the list of tasks, and not in the response that creates it [D-shape-19]', async () => {
    const [first] = await conversions(6)
    expect(first?.queue).toBeNull()
    const shown = await user.get(`/v1/process/tasks/${first?.id}`)
    expect(shown.body.queue?.waitsFor).toBe('worker')
    const list = await user.get<Page<Task>>('/v1/process/tasks')
    expect(list.body.docs[0]?.queue).toMatchObject({ waitsFor: 'slot', position: 2 })
    const tasks = {
      a: { operation: 'import/upload' },
      b: { operation: 'convert', input: 'a', output_format: 'webp' },
    }
    const job = await user.post<Job>('/v1/process/jobs', { tasks })
    expect(job.body.tasks?.[1]?.queue).toBeNull()
    const { body } = await user.get<Job>(`/v1/process/jobs/${job.body.id}`)
    expect(body.tasks?.map(({ queue }) => queue)).toEqual([null, { waitsFor: 'input', position: null, ...unknown }])
  })

  it('has no times that are not known', async () => {
    const [first] = await conversions(1)
    expect(await placeOf(first as Task)).toMatchObject(unknown)
  })

  it('estimates start and end from recent tasks of the queue [D-shape-20]', async () => {
    const made = await conversions(7)
    await run(made.slice(0, 6))
    await api.services.database.pool.query(`update tasks set slot = true where id = $1`, [bytes(made[6]?.id ?? '')])
    await api.services.database.pool.query(
      `update tasks set slot = false where pool = 'process' and slot and id < $1 and status = 'created'`,
      [bytes(made[6]?.id ?? '')],
    )
    const place = await placeOf(made[6] as Task)
    expect(place).toMatchObject({ waitsFor: 'worker', position: 1 })
    // Six starts in 18 seconds, so one every three seconds; plus two for the run.
    expect(place?.secondsToStart).toBeGreaterThanOrEqual(3)
    expect(place?.secondsToStart).toBeLessThan(20)
    expect((place?.secondsToEnd ?? 0) - (place?.secondsToStart ?? 0)).toBe(2)
  })

  it('is read once a second per pool and owner for any number of requests, with limited queries [D-shape-21]', async () => {
    const made = await conversions(6)
    const seen: string[] = []
    const { pool } = api.services.database
    const watched = {
      query: (sql: string, values: readonly unknown[]) => {
        seen.push(sql)
        return pool.query(sql, [...values])
      },
    } as typeof pool
    const look = createQueueLook({ database: { pool: watched }, clock: api.services.clock })
    await Promise.all(Array.from({ length: 20 }, () => look.read(made.map(({ id }) => id))))
    expect(seen.filter((sql) => sql.includes('worker_id is null'))).toHaveLength(1)
    expect(seen.filter((sql) => sql.includes('not slot'))).toHaveLength(1)
    expect(seen.filter((sql) => sql.includes('order by id desc'))).toHaveLength(2)
    for (const sql of seen) expect(sql).toMatch(/limit \$3|id = any/)
  })
})
