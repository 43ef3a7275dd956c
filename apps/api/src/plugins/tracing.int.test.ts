import { startTraceCollector, type TraceCollector, waitFor } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApi, type TestApi } from '../testing/start-api.ts'

const parts = new AsyncDisposableStack()
let collector: TraceCollector
let api: TestApi
let headers: { authorization: string }

beforeAll(async () => {
  collector = parts.use(await startTraceCollector())
  api = parts.use(await startApi({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } }))
  headers = (await api.createKey()).headers
})
afterAll(() => parts.disposeAsync())

const theirs = { traceId: 'd'.repeat(32), spanId: 'e'.repeat(16) }
const traceParents = async () =>
  (await api.services.database.pool.query('select distinct trace_parent as text from tasks')).rows.map(
    ({ text }) => text,
  )

it('keeps the trace of a request with the task it creates, and links the trace its caller names', async () => {
  await api.app.inject({ url: '/readyz' })
  const traceparent = `00-${theirs.traceId}-${theirs.spanId}-01`
  const url = '/v1/process/import/url'
  const payload = { url: 'https://example.com/a.png' }
  const answer = await api.app.inject({ method: 'POST', url, headers: { ...headers, traceparent }, payload })
  expect(answer.statusCode, answer.body).toBe(201)
  await waitFor(() => collector.spans.length > 0, { withinMs: 20_000, what: 'the span of the request' })
  expect(collector.spans).toHaveLength(1)
  const [span] = collector.spans
  expect(span).toMatchObject({ service: 'lathe-api', name: `POST ${url}`, parentSpanId: undefined, links: [theirs] })
  expect(span?.attributes).toMatchObject({ 'http.response.status_code': 201 })
  expect(span?.traceId).not.toBe(theirs.traceId)
  expect(await traceParents()).toEqual([`00-${span?.traceId}-${span?.spanId}-01`])
})

it('keeps one trace for all tasks of a job', async () => {
  await api.services.database.pool.query('delete from tasks')
  const tasks = {
    in: { operation: 'import/url', url: 'https://example.com/a.png' },
    out: { operation: 'convert', input: 'in', output_format: 'webp' },
  }
  const answer = await api.app.inject({ method: 'POST', url: '/v1/process/jobs', headers, payload: { tasks } })
  expect(answer.statusCode, answer.body).toBe(201)
  expect(await traceParents()).toEqual([expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)])
})

it('answers 503 on /readyz while it stops, and continues to answer requests', async () => {
  expect((await api.app.inject({ url: '/readyz' })).statusCode).toBe(200)
  api.services.stopping.abort()
  const stopping = await api.app.inject({ url: '/readyz' })
  expect([stopping.statusCode, stopping.json().status]).toEqual([503, 'down'])
  expect((await api.app.inject({ url: '/v1/process/tasks', headers })).statusCode).toBe(200)
})
