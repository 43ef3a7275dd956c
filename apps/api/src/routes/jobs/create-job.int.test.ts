import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../testing/start-api.ts'

let api: TestApi
let headers: Record<string, string>
beforeAll(async () => {
  api = await startApi({ env: { EDGES_PER_JOB: '3' } })
  headers = (await api.createKey()).headers
})
afterAll(() => api[Symbol.asyncDispose]())

describe('edges of a job, three', () => {
  it.each([
    ['one below', 2],
    ['the limit', 3],
    ['one above', 4],
  ])('%s [L-input-names-job]', async (_, count) => {
    const exports = Array.from({ length: count }, (_task, n) => [`e${n}`, { operation: 'export/url', input: 'a' }])
    const tasks = { a: { operation: 'import/upload' }, ...Object.fromEntries(exports) }
    const answer = await api.app.inject({ method: 'POST', url: '/v1/process/jobs', headers, payload: { tasks } })
    if (count <= 3) return void expect(answer.statusCode).toBe(201)
    expect(answer.statusCode).toBe(400)
    const msg = 'name 4 inputs together; at most 3 are allowed in a job. Make several jobs.'
    expect(answer.json()).toMatchObject({ errorCode: 'invalid_request', errors: [{ path: 'tasks', msg }] })
  })
})
