import type { Job } from '@lathe/contract'
import {
  answersWith,
  type CollectedSpan,
  type Receiver,
  type Stack,
  startReceiver,
  startStack,
  startTraceCollector,
  type TraceCollector,
  waitFor,
} from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usedMetrics } from '../../../scripts/generate/watching/used-metrics.ts'
import { createClient } from './support/client.ts'
import { untilSettled } from './support/record.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const parts = new AsyncDisposableStack()
let stack: Stack
let collector: TraceCollector
let key: string
let job: Job

/** A server that is away the first time it is asked, so that an import is tried again. */
function startFlakySource(): Promise<Receiver> {
  let asked = 0
  return startReceiver((response) => {
    asked += 1
    if (asked === 1) response.writeHead(503).end()
    else response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(pixel, 'base64'))
  })
}

beforeAll(async () => {
  collector = parts.use(await startTraceCollector())
  const hook = parts.use(await startReceiver(answersWith(200)))
  const source = parts.use(await startFlakySource())
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  stack = parts.use(await startStack({ storage: 'disk', env }))
  const made = await stack.createKey()
  key = made.key
  const client = createClient(stack.url, key)
  const webhook = await client.post('/v1/webhooks', { url: `${hook.url}/hook`, events: ['job.completed'] })
  expect(webhook.status, JSON.stringify(webhook.body)).toBe(201)
  job = await client.createJob({
    in: { operation: 'import/url', url: `${source.url}/pixel.png` },
    out: { operation: 'convert', input: 'in', output_format: 'webp' },
  })
  await untilSettled(stack, made.ownerId)
  await waitFor(() => ofName('webhook').length > 0 && ofName('task convert').length > 0, {
    withinMs: 60_000,
    what: 'the span of the webhook',
  })
})
afterAll(() => parts.disposeAsync())

const ofName = (name: string) => collector.spans.filter((span) => span.name === name)
const byAttempt = (a: CollectedSpan, b: CollectedSpan) =>
  Number(a.attributes['lathe.attempt']) - Number(b.attributes['lathe.attempt'])

describe('one trace', () => {
  it('covers a job from its request through every process to its webhook', () => {
    const [request] = ofName('POST /v1/process/jobs')
    const trace = collector.spans.filter(({ traceId }) => traceId === request?.traceId)
    const services = new Set(trace.map(({ service }) => service))
    expect([...services].sort(), job.id).toEqual(['lathe-api', 'lathe-scheduler', 'lathe-worker'])
    const names = new Set(trace.map(({ name }) => name))
    for (const name of ['queue', 'task import/url', 'task convert', 'fetch', 'engine', 'store', 'report', 'webhook'])
      expect(names).toContain(name)
    const [convert] = ofName('task convert')
    for (const name of ['fetch', 'engine', 'store', 'report'])
      expect(ofName(name).map(({ parentSpanId }) => parentSpanId)).toContain(convert?.spanId)
    expect(collector.spans.some(({ name }) => name.includes('readyz'))).toBe(false)
  })

  it('links each attempt to the previous one in the same trace', () => {
    const [request] = ofName('POST /v1/process/jobs')
    const [first, second] = ofName('task import/url').sort(byAttempt)
    expect(first).toMatchObject({ parentSpanId: request?.spanId, attributes: { 'lathe.attempt': 1 }, links: [] })
    expect(second).toMatchObject({ parentSpanId: request?.spanId, attributes: { 'lathe.attempt': 2 } })
    expect(second?.links).toEqual([{ traceId: request?.traceId, spanId: first?.spanId }])
  })

  it('starts new, and links to the trace that the client sends', async () => {
    const theirs = { traceId: 'd'.repeat(32), spanId: 'e'.repeat(16) }
    const headers = { traceparent: `00-${theirs.traceId}-${theirs.spanId}-01` }
    await createClient(stack.url, key).post('/v1/process/import/upload', {}, headers)
    const isTheirs = ({ links }: CollectedSpan) => links.some(({ traceId }) => traceId === theirs.traceId)
    await waitFor(() => collector.spans.some(isTheirs), { withinMs: 30_000, what: 'the span of the request' })
    const span = collector.spans.find(isTheirs)
    expect(span).toMatchObject({ name: 'POST /v1/process/import/upload', links: [theirs] })
    expect(span?.traceId).not.toBe(theirs.traceId)
  })
})

describe('dashboards and rules', () => {
  it('query only metrics that the processes export', async () => {
    const texts = await Promise.all(stack.processes.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()))
    const shown = new Set(texts.flatMap((text) => Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name)))
    const asked = usedMetrics()
    expect(asked.length).toBeGreaterThan(30)
    const missing = asked.filter((name) => !shown.has(name) && !shown.has(name.replace(/_(bucket|sum|count)$/, '')))
    expect(missing).toEqual([])
  })
})
