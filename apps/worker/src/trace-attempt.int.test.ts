import { createWorkshop, type Workshop } from '@lathe/orchestrator/testing'
import { openTraces, parseTraceParent } from '@lathe/runtime'
import { startTraceCollector } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { traceAttempt } from './trace-attempt.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await createWorkshop()
})
afterAll(() => shop[Symbol.asyncDispose]())

it('records wait and attempt in the trace of the request, and links each attempt to the one before it', async () => {
  await using collector = await startTraceCollector()
  const workerId = await shop.addWorker()
  const task = shop.newTask()
  {
    await using traces = await openTraces('worker', { endpoint: collector.url, share: 1 })
    const request = traces.begin('request')
    await shop.orchestrator.createTask({ ...(await shop.addOwner()), traceParent: request.traceParent }, task)
    for (const attempt of [1, 2]) {
      const fence = { taskId: task.id, attempt, workerId }
      const claim = await shop.desk.claim(fence)
      if (!claim) throw new Error('the task was not claimed')
      expect(claim.traceParent).toBe(request.traceParent)
      const span = traceAttempt({ traces, clock: shop.clock }, claim)
      span.child('engine').end()
      span.end()
      await shop.desk.giveBack(fence)
    }
    request.end()
    expect(parseTraceParent(request.traceParent)).toBeDefined()
  }
  const named = (name: string) => collector.spans.filter((span) => span.name === name)
  const [request] = named('request')
  const [first, second] = named('task import/url')
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(named('queue').map(({ parentSpanId }) => parentSpanId)).toEqual([request?.spanId, request?.spanId])
  expect(first).toMatchObject({ parentSpanId: request?.spanId, links: [], attributes: { 'lathe.attempt': 1 } })
  expect(second?.links).toEqual([{ traceId: request?.traceId, spanId: first?.spanId }])
  expect(named('engine').map(({ parentSpanId }) => parentSpanId)).toEqual([first?.spanId, second?.spanId])
})
