import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Job, Page } from '@lathe/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
let base: string
let headers: { authorization: string }

/** 200 jobs with 100 completed tasks each, and one file per task. */
beforeAll(async () => {
  api = await startApi()
  base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { key, userId, headers: own } = await api.createKey()
  headers = own
  const { pool } = api.services.database
  const owner = `\\x${(await api.services.accounts.findCaller(key))?.ownerId}`
  const second = Math.floor(Date.now() / 1000).toString(16)
  const idOf = (n: string) => `decode('${second}' || lpad(to_hex(${n}), 16, '0'), 'hex')`
  await pool.query(
    `insert into jobs (id, owner_id, user_id, status, remaining, seq, created_at, updated_at)
     select ${idOf('j')}, $1, $2, 'completed', 0, 1, now(), now() from generate_series(1, 200) j`,
    [owner, `\\x${userId}`],
  )
  await pool.query(
    `insert into tasks (id, job_id, owner_id, user_id, name, operation, status, payload, pool, position, depends_on,
       pending, slot, seq, created_at, updated_at)
     select ${idOf('1000 + j * 100 + t')}, ${idOf('j')}, $1, $2, 'task ' || t, 'convert', 'completed',
            '{"output_format": "pdf", "filename": "report.pdf"}', 'x', t, '{}', 0, false, 1, now(), now()
       from generate_series(1, 200) j, generate_series(1, 100) t`,
    [owner, `\\x${userId}`],
  )
  await pool.query(
    `insert into files (task_id, n, key, filename, format, size, sha256, crc32, expires_at)
     select id, 0, 'k', 'report.pdf', 'pdf', 5, sha256('x'), 1, now() + interval '1 hour' from tasks`,
  )
}, 120_000)
afterAll(() => api[Symbol.asyncDispose]())

async function list(query: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  get(`${base}/v1/process/jobs?${query}`, { headers }, (response) => {
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    text(response).then(resolve, reject)
  }).on('error', reject)
  return promise
}

/**
 * The longest CPU time on this thread before a timer runs: the delay for other requests, independent of the machine.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [cpuMs(), 0]
  const timer = setInterval(() => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  await work()
  clearInterval(timer)
  return longest
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

it('R16: the largest page of jobs with their tasks never holds up the event loop for 100 ms', async () => {
  await list('per_page=1&include=tasks')
  let body = ''
  const longest = await longestTurn(async () => {
    body = await list('per_page=200&include=tasks')
  })
  expect(longest).toBeLessThan(100)
  const { docs, totalDocs } = JSON.parse(body) as Page<Job>
  expect([docs.length, totalDocs, docs.reduce((sum, { tasks = [] }) => sum + tasks.length, 0)]).toEqual([10, 200, 1000])
})

it('R16: a page in pieces is the same as one at once', async () => {
  const { docs, ...facts } = JSON.parse(await list('per_page=7&page=2&include=tasks')) as Page<Job>
  const plain = JSON.parse(await list('per_page=7&page=2')) as Page<Job>
  expect({ docs: docs.map(({ tasks, ...job }) => job), ...facts }).toEqual(plain)
  const [first] = docs
  const shown = await api.app.inject({ url: `/v1/process/jobs/${first?.id}`, headers })
  expect(first).toEqual(shown.json())
  expect(JSON.parse(await list('tag=none&include=tasks'))).toMatchObject({ docs: [], totalDocs: 0, page: 1 })
})
