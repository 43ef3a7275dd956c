import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { startTraceCollector } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { openTraces } from './open-traces.ts'
import { parseTraceParent } from './traces.ts'

describe('traces', () => {
  it('reach the collector as one, over two processes, with ids that were given and links', async () => {
    await using collector = await startTraceCollector()
    {
      await using first = await openTraces('api', { endpoint: collector.url, share: 1 })
      await using second = await openTraces('worker', { endpoint: collector.url, share: 1 })
      const request = first.begin('POST /v1/x', { kind: 'server', attributes: { 'http.route': '/v1/x' } })
      const startedAt = new Date(Date.now() - 5_000)
      const links = [request.traceParent, 'nonsense', undefined]
      const task = second.resume(request.traceParent, 'task', { spanId: 'c'.repeat(16), startedAt, links })
      const part = task.child('engine')
      part.end('engine_crashed')
      task.end()
      request.end()
    }
    const [request, task, part] = ['POST /v1/x', 'task', 'engine'].map((name) => {
      return collector.spans.find((span) => span.name === name)
    })
    expect(request).toMatchObject({ service: 'lathe-api', attributes: { 'http.route': '/v1/x' } })
    expect(task).toMatchObject({ service: 'lathe-worker', spanId: 'c'.repeat(16), parentSpanId: request?.spanId })
    expect(task?.links).toEqual([{ traceId: request?.traceId, spanId: request?.spanId }])
    expect((task?.endMs ?? 0) - (task?.startMs ?? 0)).toBeGreaterThanOrEqual(5_000)
    expect(part).toMatchObject({ traceId: request?.traceId, parentSpanId: task?.spanId })
  })

  it('are sampled at the configured rate, and continued wherever they were sampled', async () => {
    await using collector = await startTraceCollector()
    await using none = await openTraces('api', { endpoint: collector.url, share: 0 })
    await using all = await openTraces('api', { endpoint: collector.url, share: 1 })
    expect(none.begin('request').traceParent).toBeNull()
    const { traceParent } = all.begin('request')
    const there = none.resume(traceParent, 'task')
    expect(parseTraceParent(there.traceParent)?.traceId).toBe(parseTraceParent(traceParent)?.traceId)
    expect(none.resume(null, 'task').traceParent).toBeNull()
  })

  it('delay nothing while the collector is down', async () => {
    const startedAt = performance.now()
    {
      await using traces = await openTraces('api', { endpoint: 'http://127.0.0.1:9', share: 1 })
      for (let n = 0; n < 5_000; n += 1) traces.begin('request').end()
    }
    expect(performance.now() - startedAt).toBeLessThan(8_000)
  })

  it('load no SDK of OpenTelemetry where no collector is configured', async () => {
    const loaded = await modulesLoaded('')
    expect(loaded.filter(isOfSdk)).toEqual([])
    const others = await modulesLoaded('http://127.0.0.1:9')
    expect(others.filter(isOfSdk).length).toBeGreaterThan(3)
  })
})

// The metrics library loads the bare API by itself.
const isOfSdk = (name: string) => /@opentelemetry\/(sdk|core|resources|otlp|exporter)/.test(name)

/** The modules that opening traces loads, in a separate thread. */
async function modulesLoaded(endpoint: string): Promise<readonly string[]> {
  const code = `
    const { registerHooks } = require('node:module')
    const { parentPort, workerData } = require('node:worker_threads')
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    import(workerData.module)
      .then(({ openTraces }) => openTraces('api', { endpoint: workerData.endpoint, share: 1 }))
      .then(() => parentPort.postMessage(loaded))`
  const module = new URL('./index.ts', import.meta.url).href
  const thread = new Worker(code, { eval: true, workerData: { module, endpoint } })
  const [names] = await once(thread, 'message')
  await thread.terminate()
  return names as string[]
}
